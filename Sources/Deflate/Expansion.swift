import CZlib

extension Deflate {
  /// Expands data that comes in pieces, so that neither side of it is in memory as a whole.
  /// Gzip files of several members, as parallel compressors write them, are one text.
  package final class Expansion {
    /// zlib remembers where its stream lies. Allocated here, and freed as the expansion goes.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var chunk = [UInt8](repeating: 0, count: 1 << 18)
    /// The piece that is being expanded, and how much of it was.
    private var piece: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    /// Begins to expand data.
    ///
    /// - Throws: ``Deflate/Failure/broken`` when zlib cannot begin, as without memory.
    package init(_ wrapping: Wrapping = .gzip) throws(Failure) {
      let size = Int32(MemoryLayout<z_stream>.size)
      stream.initialize(to: z_stream())
      guard inflateInit2_(stream, wrapping.rawValue, ZLIB_VERSION, size) == Z_OK else { throw .broken }
    }

    deinit {
      inflateEnd(stream)
      stream.deallocate()
    }

    /// Takes the next piece in. The one before has been expanded.
    package func add(_ piece: [UInt8]) {
      self.piece = piece
      position = 0
    }

    /// Some more of what the piece expands to, at most 256 KiB, since a piece may expand to a
    /// thousand times its size. Empty when the next piece is needed.
    ///
    /// - Throws: ``Deflate/Failure/broken`` for what is not such a compression, or does not fit its checksum.
    package func next() throws(Failure) -> [UInt8] {
      while true {
        if isAtEnd {
          guard position < piece.count else { return [] }
          guard inflateReset(stream) == Z_OK else { throw .broken }
          isAtEnd = false
        }
        let (written, status) = step()
        switch status {
        case Z_STREAM_END: isAtEnd = true
        case Z_OK: break
        case Z_BUF_ERROR:
          // Nothing to read and nothing to write: what comes next is in the next piece.
          guard position == piece.count else { throw .broken }
          return []
        default: throw .broken
        }
        if written > 0 { return Array(chunk[..<written]) }
      }
    }

    /// Called behind the last piece.
    ///
    /// - Throws: ``Deflate/Failure/broken`` when the file breaks off before its end.
    package func finish() throws(Failure) {
      guard isAtEnd else { throw .broken }
    }

    /// Fills the chunk once, as far as the piece goes.
    private func step() -> (written: Int, status: Int32) {
      let (start, room) = (position, chunk.count)
      var status = Z_OK
      var read = 0
      let written = piece.withUnsafeMutableBufferPointer { source in
        chunk.withUnsafeMutableBufferPointer { target in
          stream.pointee.next_in = source.baseAddress.map { $0 + start }
          stream.pointee.avail_in = UInt32(source.count - start)
          stream.pointee.next_out = target.baseAddress
          stream.pointee.avail_out = UInt32(room)
          status = inflate(stream, Z_NO_FLUSH)
          read = source.count - start - Int(stream.pointee.avail_in)
          return room - Int(stream.pointee.avail_out)
        }
      }
      position += read
      return (written, status)
    }
  }
}
