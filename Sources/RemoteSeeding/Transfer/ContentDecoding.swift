import Deflate

/// Expands an answer that the server compresses on the way (`Content-Encoding`, RFC 9110, section 8.4).
///
/// libcurl could expand it as well, but takes an answer that breaks off inside of its compression for a whole one.
final class ContentDecoding {
  private let coding: Coding
  private var expansion: Deflate.Expansion?
  /// The first bytes, until they show the form of DEFLATE.
  private var beginning: [UInt8] = []

  private enum Coding {
    case gzip
    case deflate
  }

  /// Nil for an answer that is not compressed.
  ///
  /// - Parameter encoding: The value of the answer's field; `nil` for an answer without the field.
  /// - Throws: A `FetchFailure` for a compression that was not asked for.
  init?(_ encoding: String?) throws(FetchFailure) {
    switch encoding?.lowercased() {
    case nil, "", "identity": return nil
    case "gzip", "x-gzip": coding = .gzip
    case "deflate": coding = .deflate
    case let other?: throw .unknownEncoding(other)
    }
  }

  /// Expands the next bytes of the answer, and hands over what they expand to, at most 256 KiB at a time.
  ///
  /// - Throws: A `FetchFailure` for bytes that are not compressed in this way, and the body's errors.
  func expand(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    beginning += bytes
    guard let expansion = try expansion ?? begin() else { return }
    expansion.add(beginning)
    beginning = []
    while case let part = try next(of: expansion), !part.isEmpty {
      try part.withUnsafeBytes(body)
    }
  }

  /// Called after the last bytes. An answer without a body was not compressed.
  ///
  /// - Throws: A `FetchFailure` if the compressed data is cut off.
  func finish() throws(FetchFailure) {
    guard let expansion else {
      guard beginning.isEmpty else { throw .brokenEncoding }
      return
    }
    do { try expansion.finish() } catch { throw .brokenEncoding }
  }

  private func next(of expansion: Deflate.Expansion) throws(FetchFailure) -> [UInt8] {
    do { return try expansion.next() } catch { throw .brokenEncoding }
  }

  private func begin() throws(FetchFailure) -> Deflate.Expansion? {
    guard coding == .gzip || beginning.count >= 2 else { return nil }
    do {
      let expansion = try Deflate.Expansion(coding == .gzip ? .gzip : wrappingOfDeflate)
      self.expansion = expansion
      return expansion
    } catch {
      throw .brokenEncoding
    }
  }

  /// RFC 9110 defines `deflate` as DEFLATE with the header of RFC 1950. Some servers leave out the
  /// header, which its first two bytes identify.
  private var wrappingOfDeflate: Deflate.Wrapping {
    let (first, second) = (Int(beginning[0]), Int(beginning[1]))
    return first & 0x0F == 8 && (first << 8 | second).isMultiple(of: 31) ? .zlib : .raw
  }
}
