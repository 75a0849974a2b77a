/// The loaded part of a text: it begins at the reader's position and grows in blocks.
struct SeedWindow {
  private(set) var bytes: [UInt8] = []
  private let source: SeedBytes

  /// True if the text ends with the loaded part.
  private(set) var isLast = false

  var limits: SeedLimits { source.limits }

  init(_ source: SeedBytes) throws {
    self.source = source
    // A byte order mark has three bytes.
    while bytes.count < 3, !isLast { try refill(atLeast: 0) }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
  }

  /// Checks that the text does not begin as one in UTF-16 or UTF-32 does: by a mark of the order of bytes, or by a
  /// character of ASCII.
  ///
  /// - Throws: A `SeedError` if it does.
  func checkEncoding(_ file: String) throws {
    let start = bytes.prefix(2)
    guard start == [0xFF, 0xFE] || start == [0xFE, 0xFF] || start.count == 2 && start.contains(0) else { return }
    throw SeedError(
      code: .brokenText,
      at: SeedPosition(file: file, line: 1),
      problem: "the text begins as one in UTF-16 or UTF-32 does",
      remedy: "save the file in UTF-8"
    )
  }

  /// Drops the bytes that were read, and loads at least as many as are left, so that a long value is
  /// scanned only a few times.
  ///
  /// - Parameters:
  ///   - position: The position at which the rest begins.
  ///   - hint: Words for another error that may have caused this.
  /// - Throws: A `SeedError` if the rest is larger than a record may be.
  mutating func extend(
    droppingFirst count: Int,
    at position: @autoclosure () -> SeedPosition,
    hint: String = ""
  ) throws {
    bytes.removeFirst(count)
    guard bytes.count <= limits.largestRecord else {
      throw SeedError.largeRecord(at: position(), limits: limits, hint: hint)
    }
    try refill(atLeast: bytes.count)
  }

  private mutating func refill(atLeast least: Int) throws {
    let block = try source.next(atLeast: least)
    if block.isEmpty { isLast = true }
    bytes += block
  }
}

extension UInt8 {
  /// True when it is white space that means nothing between the values of JSON and the rows of a table.
  var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }
}
