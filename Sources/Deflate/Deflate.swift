import CZlib
package import Foundation

/// The DEFLATE compression, with or without a header around it.
package enum Deflate {
  /// The form in which compressed data is wrapped.
  package enum Wrapping: Int32 {
    /// Nothing, which is how stores keep the archive of their model: the largest window, and the
    /// minus sign for no header.
    case raw = -15

    /// The header and checksum of RFC 1950, as the encoding `deflate` of HTTP has them: the largest
    /// window.
    case zlib = 15

    /// The header and checksum of a `.gz` file: 16 more than the window.
    case gzip = 31
  }

  /// The reason that data cannot be compressed or expanded.
  package enum Failure: Error {
    /// It is no such compression, or breaks off, or its checksum does not fit.
    case broken

    /// It expands to more bytes than are allowed.
    case tooLarge
  }

  /// The version of zlib that this process has loaded.
  package static var libraryVersion: String { String(cString: zlibVersion()) }

  /// Compresses data.
  ///
  /// - Throws: ``Failure/tooLarge`` for 4 GiB or more, ``Failure/broken`` when zlib cannot begin.
  package static func compressed(_ data: Data, wrapping: Wrapping = .raw) throws(Failure) -> Data {
    var stream = z_stream()
    let status = deflateInit2_(
      &stream,
      Z_DEFAULT_COMPRESSION,
      Z_DEFLATED,
      wrapping.rawValue,
      8,
      Z_DEFAULT_STRATEGY,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    guard status == Z_OK else { throw .broken }
    defer { deflateEnd(&stream) }
    return try run(&stream, over: data, atMost: .max) { deflate(&$0, Z_FINISH) }
  }

  /// The data that was compressed.
  /// - Parameter largest: The bytes that it may have at the most: a small file can expand to very
  ///   many.
  /// - Throws: ``Failure/broken`` for what is not such a compression as a whole,
  ///   ``Failure/tooLarge`` for what expands to more bytes than are allowed, or has 4 GiB or more
  ///   itself.
  package static func expanded(
    _ data: Data,
    wrapping: Wrapping = .raw,
    atMost largest: Int
  ) throws(Failure) -> Data {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, wrapping.rawValue, ZLIB_VERSION, size) == Z_OK else { throw .broken }
    defer { inflateEnd(&stream) }
    return try run(&stream, over: data, atMost: largest) { inflate(&$0, Z_NO_FLUSH) }
  }

  private static func run(
    _ stream: inout z_stream,
    over data: Data,
    atMost largest: Int,
    step: (inout z_stream) -> Int32
  ) throws(Failure) -> Data {
    guard let inputCount = UInt32(exactly: data.count) else { throw .tooLarge }
    var input = [UInt8](data)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var result = Data()
    var status = Z_OK
    input.withUnsafeMutableBufferPointer { source in
      stream.next_in = source.baseAddress
      stream.avail_in = inputCount
      repeat {
        let room = chunk.count
        let written = chunk.withUnsafeMutableBufferPointer { target in
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(room)
          status = step(&stream)
          return room - Int(stream.avail_out)
        }
        result.append(contentsOf: chunk[..<written])
        // Nothing written and no end: the data breaks off.
        if written == 0, status != Z_STREAM_END { status = Z_DATA_ERROR }
      } while status == Z_OK && result.count <= largest
    }
    guard result.count <= largest else { throw .tooLarge }
    guard status == Z_STREAM_END else { throw .broken }
    return result
  }
}
