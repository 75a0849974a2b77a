/// The status and the header fields of an answer.
struct ResponseHead: Sendable {
  let status: Int

  /// The reason phrase after the status; empty with HTTP/2, which does not have one.
  let reason: String

  private var fields: [(name: String, value: String)] = []

  /// Nil for a line that is not the first one of an answer, such as `HTTP/1.1 200 OK`.
  fileprivate init?(statusLine line: String) {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/"), let status = Int(parts[1]) else { return nil }
    self.status = status
    reason = parts.count > 2 ? String(parts[2]) : ""
  }

  /// The value of the first field with a name, which is given in lower case.
  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  fileprivate mutating func add(_ line: String) {
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = line[line.index(after: colon)...]
    fields.append((line[..<colon].lowercased(), value.trimmingWhitespace))
  }
}

/// Puts together the head of an answer from the lines that libcurl hands over.
struct ResponseHeadReader {
  /// The most bytes that all lines of an answer may have together.
  private static let largestSize = 256 << 10

  /// The head of the answer's last part that has begun.
  private var head: ResponseHead?
  private var isComplete = false
  private var size = 0

  /// Reads a line, including its line break.
  ///
  /// - Returns: The head, if the line is the empty one that ends it. Interim answers with the statuses 100 to 199 have
  ///   heads of their own, which are skipped, and so are the fields after a body.
  /// - Throws: A `FetchFailure` for lines that never end.
  mutating func read(_ line: UnsafeRawBufferPointer) throws(FetchFailure) -> ResponseHead? {
    size += line.count
    guard size <= Self.largestSize else { throw .largeHead(Self.largestSize) }
    guard !isComplete else { return nil }
    let text = String(decoding: line, as: UTF8.self).trimmingLineBreak
    if let next = ResponseHead(statusLine: text) {
      head = next
    } else if !text.isEmpty {
      head?.add(text)
    } else if let head, head.status >= 200 {
      isComplete = true
      return head
    }
    return nil
  }
}

extension StringProtocol {
  fileprivate var trimmingWhitespace: String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let bytes = utf8.drop(while: isBlank)
    let count = bytes.reversed().prefix(while: isBlank).count
    return String(decoding: bytes.dropLast(count), as: UTF8.self)
  }

  fileprivate var trimmingLineBreak: String {
    let count = utf8.reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count
    return String(decoding: utf8.dropLast(count), as: UTF8.self)
  }
}
