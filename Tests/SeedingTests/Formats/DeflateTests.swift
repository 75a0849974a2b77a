import Deflate
import Foundation
import Testing

@Suite("Compressed data")
struct DeflateTests {
  static let data = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) })

  @Test(
    "compressed data is expanded to the original, and refused if it is cut off anywhere",
    arguments: [Deflate.Wrapping.raw, .gzip]
  )
  func truncated(wrapping: Deflate.Wrapping) throws {
    let compressed = try Deflate.compressed(Self.data, wrapping: wrapping)
    #expect(try Deflate.expanded(compressed, wrapping: wrapping, atMost: 100_000) == Self.data)
    for count in stride(from: 0, to: compressed.count, by: max(1, compressed.count / 50)) {
      #expect(throws: Deflate.Failure.broken) {
        _ = try Deflate.expanded(compressed.prefix(count), wrapping: wrapping, atMost: 100_000)
      }
    }
  }

  @Test("compressed data is not expanded beyond the limit")
  func tooLarge() throws {
    let compressed = try Deflate.compressed(Data(count: 10 << 20))
    #expect(throws: Deflate.Failure.tooLarge) { _ = try Deflate.expanded(compressed, atMost: 9 << 20) }
  }

  @Test("gzip data is checked by its checksum")
  func checksum() throws {
    var compressed = try Deflate.compressed(Self.data, wrapping: .gzip)
    compressed[compressed.count - 6] ^= 1
    #expect(throws: Deflate.Failure.broken) {
      _ = try Deflate.expanded(compressed, wrapping: .gzip, atMost: 100_000)
    }
  }
}
