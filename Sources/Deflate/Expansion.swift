import CZlib

extension Deflate {
  /// Expands data piece by piece, so that neither the compressed nor the expanded data is in memory as a whole.
  ///
  /// A gzip file may have several members, as parallel compressors write them. They expand to one continuous output.
  package final class Expansion {
    /// zlib keeps a pointer to its stream, so the stream has a fixed address. It is freed with the expansion.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var chunk = [UInt8](repeating: 0, count: 1 << 18)
    /// The piece that is being expanded. The position is the number of its bytes that were expanded.
    private var piece: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    /// Begins to expand data.
    ///
    /// - Throws: ``Deflate/Failure/broken`` when zlib cannot begin, for example because memory is exhausted.
    package init(_ wrapping: Wrapping = .gzip) throws(Failure) {
      let size = Int32(MemoryLayout<z_stream>.size)
      stream.initialize(to: z_stream())
      guard inflateInit2_(stream, wrapping.rawValue, ZLIB_VERSION, size) == Z_OK else { throw .broken }
    }

    deinit {
      inflateEnd(stream)
      stream.deallocate()
    }

    /// Adds the next piece. The caller has expanded the previous piece completely.
    package func add(_ piece: [UInt8]) {
      self.piece = piece
      position = 0
    }

    /// Returns the next expanded bytes of the piece, or an empty array when the next piece is needed.
    ///
    /// The result has at most 256 KiB, because a piece may expand to a thousand times its size.
    ///
    /// - Throws: ``Deflate/Failure/broken`` for data that is not in this format or does not match its checksum.
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
          // zlib has nothing to read and nothing to write. It continues with the next piece.
          guard position == piece.count else { throw .broken }
          return []
        default: throw .broken
        }
        if written > 0 { return Array(chunk[..<written]) }
      }
    }

    /// Checks that the data is complete. The caller calls it after the last piece.
    ///
    /// - Throws: ``Deflate/Failure/broken`` when the data ends too early.
    package func finish() throws(Failure) {
      guard isAtEnd else { throw .broken }
    }

    /// Fills the chunk once with the expanded bytes of the piece.
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
