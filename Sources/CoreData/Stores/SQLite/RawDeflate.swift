import CZlib
import Foundation

/// Compression as DEFLATE without a header around it, which is how stores keep the archive of their model.
enum RawDeflate {
  /// What the data is that was to be expanded: no such compression, or more than any model.
  struct Failure: Error {}

  // The largest archive that is known has some hundred kilobytes.
  private static let largest = 64 << 20
  /// The largest window, and the minus sign for no header.
  private static let windowBits: Int32 = -15

  static func compressed(_ data: Data) throws(Failure) -> Data {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    let status = deflateInit2_(
      &stream,
      Z_DEFAULT_COMPRESSION,
      Z_DEFLATED,
      windowBits,
      8,
      Z_DEFAULT_STRATEGY,
      ZLIB_VERSION,
      size
    )
    guard status == Z_OK else { throw Failure() }
    defer { deflateEnd(&stream) }
    return try run(&stream, over: data) { deflate(&$0, Z_FINISH) }
  }

  static func expanded(_ data: Data) throws(Failure) -> Data {
    var stream = z_stream()
    let status = inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw Failure() }
    defer { inflateEnd(&stream) }
    return try run(&stream, over: data) { inflate(&$0, Z_NO_FLUSH) }
  }

  private static func run(
    _ stream: inout z_stream,
    over data: Data,
    step: (inout z_stream) -> Int32
  ) throws(Failure) -> Data {
    var input = [UInt8](data)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var result = Data()
    var status = Z_OK
    let inputCount = UInt32(clamping: input.count)
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
    guard status == Z_STREAM_END else { throw Failure() }
    return result
  }
}
