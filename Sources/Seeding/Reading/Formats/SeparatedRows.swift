/// Splits a table into rows: at the ends of lines that are not within double quotes. A line ends
/// with a line feed, a carriage return, or both.
struct SeparatedRows {
  /// A row as it is in the file, without its line end.
  struct Row {
    let text: String
    let line: Int
  }

  /// The extent of the row that begins at the cursor.
  private struct Extent {
    /// The end of the row or of its loaded part, and the beginning of the next row. `next` is nil
    /// if the end of the row is not loaded yet.
    var end: Int
    var next: Int?
    var lines = 0
    var isQuoted = false
  }

  private let file: String
  private var window: SeedWindow
  private var offset = 0
  private var line = 1

  init(_ bytes: SeedBytes, file: String) throws {
    self.file = file
    window = try SeedWindow(bytes)
  }

  /// The next row that has something in it, nil after the last.
  mutating func next() throws -> Row? {
    while let row = try readRow() {
      if row.text.contains(where: { !$0.isWhitespace }) { return row }
    }
    return nil
  }

  private mutating func readRow() throws -> Row? {
    var extent = extent
    while extent.next == nil, !window.isLast {
      // A row whose loaded part is blank can be dropped from memory. If it ends with a carriage
      // return, a line feed may follow.
      if window.bytes[offset..<extent.end].allSatisfy(\.isBlank) { offset = extent.end }
      let hint = extent.isQuoted ? ", perhaps because a double quote has no other that closes it" : ""
      try window.extend(droppingFirst: offset, at: SeedPosition(file: file, line: line), hint: hint)
      offset = 0
      extent = self.extent
    }
    guard offset < window.bytes.count else { return nil }
    let firstLine = line
    guard !extent.isQuoted else {
      throw broken(
        "a double quote has no other that closes it",
        line: firstLine,
        remedy: "close it, or put the whole field into double quotes, and double those within it"
      )
    }
    let bytes = window.bytes[offset..<extent.end]
    line += extent.lines
    offset = extent.next ?? extent.end
    guard !bytes.contains(0) else {
      throw broken("the row has a byte that is 0, as texts in UTF-16 have", line: firstLine)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw broken("the row is not valid UTF-8", line: firstLine)
    }
    return Row(text: text, line: firstLine)
  }

  private var extent: Extent {
    window.bytes.withUnsafeBufferPointer { bytes in
      var extent = Extent(end: offset)
      while extent.end < bytes.count {
        let byte = bytes[extent.end]
        if byte == UInt8(ascii: "\"") { extent.isQuoted.toggle() }
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
          let after = extent.end + 1
          let isPair =
            byte == UInt8(ascii: "\r") && after < bytes.count && bytes[after] == UInt8(ascii: "\n")
          let mayBePair = byte == UInt8(ascii: "\r") && after == bytes.count && !window.isLast
          if mayBePair { return extent }
          extent.lines += 1
          if !extent.isQuoted {
            extent.next = after + (isPair ? 1 : 0)
            return extent
          }
          if isPair { extent.end += 1 }
        }
        extent.end += 1
      }
      return extent
    }
  }

  private func broken(_ problem: String, line: Int, remedy: String = "save the file in UTF-8") -> SeedError {
    SeedError(
      code: .brokenText,
      at: SeedPosition(file: file, line: line),
      problem: problem,
      remedy: remedy
    )
  }
}
