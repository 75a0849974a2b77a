import Deflate
import Foundation
import Testing

@Suite("Compressed data")
struct DeflateTests {
  static let data = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) })

  @Test("comes back, and is refused when it breaks off anywhere", arguments: [Deflate.Wrapping.raw, .gzip])
  func truncated(wrapping: Deflate.Wrapping) throws {
    let compressed = try Deflate.compressed(Self.data, wrapping)
    #expect(try Deflate.expanded(compressed, wrapping, atMost: 100_000) == Self.data)
    for count in stride(from: 0, to: compressed.count, by: max(1, compressed.count / 50)) {
      #expect(throws: Deflate.Failure.broken) {
        _ = try Deflate.expanded(compressed.prefix(count), wrapping, atMost: 100_000)
      }
    }
  }

  @Test("is not expanded to more than is allowed")
  func tooLarge() throws {
    let compressed = try Deflate.compressed(Data(count: 10 << 20))
    #expect(throws: Deflate.Failure.tooLarge) { _ = try Deflate.expanded(compressed, atMost: 9 << 20) }
  }

  @Test("in gzip has a checksum")
  func checksum() throws {
    var compressed = try Deflate.compressed(Self.data, .gzip)
    compressed[compressed.count - 6] ^= 1
    #expect(throws: Deflate.Failure.broken) {
      _ = try Deflate.expanded(compressed, .gzip, atMost: 100_000)
    }
  }
}
