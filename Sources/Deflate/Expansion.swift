import CZlib

extension Deflate {
  /// Expands a gzip file that comes in pieces, so that neither side of it is in memory as a whole. Files of several
  /// members, as parallel compressors write them, are one text.
  package final class Expansion {
    /// zlib remembers where its stream lies.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var chunk = [UInt8](repeating: 0, count: 1 << 18)
    private var isAtEnd = false

    package init() throws(Failure) {
      let size = Int32(MemoryLayout<z_stream>.size)
      stream.initialize(to: z_stream())
      guard inflateInit2_(stream, Wrapping.gzip.rawValue, ZLIB_VERSION, size) == Z_OK else { throw .broken }
    }

    deinit {
      inflateEnd(stream)
      stream.deallocate()
    }

    /// What the next piece expands to, which may be nothing yet.
    package func expand(_ piece: [UInt8]) throws(Failure) -> [UInt8] {
      var piece = piece
      var result: [UInt8] = []
      let isWhole = piece.withUnsafeMutableBufferPointer { source in
        stream.pointee.next_in = source.baseAddress
        stream.pointee.avail_in = UInt32(source.count)
        return expandInput(into: &result)
      }
      guard isWhole else { throw .broken }
      return result
    }

    /// Called behind the last piece.
    package func finish() throws(Failure) {
      guard isAtEnd else { throw .broken }
    }

    /// False when the input is no compressed data.
    private func expandInput(into result: inout [UInt8]) -> Bool {
      while true {
        if isAtEnd {
          guard stream.pointee.avail_in > 0 else { return true }
          guard inflateReset(stream) == Z_OK else { return false }
          isAtEnd = false
        }
        let room = chunk.count
        var status = Z_OK
        let written = chunk.withUnsafeMutableBufferPointer { target in
          stream.pointee.next_out = target.baseAddress
          stream.pointee.avail_out = UInt32(room)
          status = inflate(stream, Z_NO_FLUSH)
          return room - Int(stream.pointee.avail_out)
        }
        result.append(contentsOf: chunk[..<written])
        switch status {
        case Z_STREAM_END: isAtEnd = true
        case Z_OK: if written < room, stream.pointee.avail_in == 0 { return true }
        case Z_BUF_ERROR: return stream.pointee.avail_in == 0
        default: return false
        }
      }
    }
  }
}
