import CZlib
package import Foundation

/// The DEFLATE compression, with or without a header.
package enum Deflate {
  /// The form in which compressed data is wrapped.
  package enum Wrapping: Int32 {
    /// No header, which is how stores keep the archive of their model. The value is the largest window; zlib reads
    /// the minus sign as "no header".
    case raw = -15

    /// The header and checksum of RFC 1950, which the encoding `deflate` of HTTP has. The value is the largest window.
    case zlib = 15

    /// The header and checksum of a `.gz` file. The value is the largest window plus 16.
    case gzip = 31
  }

  /// The reason that data cannot be compressed or expanded.
  package enum Failure: Error {
    /// The data is not in this format, ends too early, or does not match its checksum.
    case broken

    /// The data is larger than this type accepts, or expands to more bytes than the caller allows.
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

  /// Returns the data that was compressed.
  ///
  /// - Parameter largest: the greatest number of bytes that the result may have, because a small file can expand to
  ///   a very large one.
  /// - Throws: ``Failure/broken`` for data that is not in this format or is incomplete, ``Failure/tooLarge`` when
  ///   the data expands to more bytes than `largest`, or is itself 4 GiB or larger.
  package static func expanded(_ data: Data, wrapping: Wrapping = .raw, atMost largest: Int) throws(Failure) -> Data {
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
        // zlib wrote nothing and did not reach the end: the data ends too early.
        if written == 0, status != Z_STREAM_END { status = Z_DATA_ERROR }
      } while status == Z_OK && result.count <= largest
    }
    guard result.count <= largest else { throw .tooLarge }
    guard status == Z_STREAM_END else { throw .broken }
    return result
  }
}
