import Foundation
import ModelFormats
import TestSupport
import Testing

@testable import CoreData

@Suite("A model file with values mixed up", .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"))
struct BrokenModelTests {
  @Test("a model file with swapped values is refused or usable", arguments: SharedFolder.contents)
  func mixedUp(path: String) throws {
    let text = String(decoding: try Data(contentsOf: SharedFolder.url(path)), as: UTF8.self)
    var parts = text.components(separatedBy: "\"")
    let original = parts
    var state = UInt64(path.utf8.count)
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(max(count, 1)))
    }
    var used = 0
    for _ in 0..<Soak.rounds(150) {
      parts = original
      for _ in 0...random(3) {
        // Values have odd indices in the parts between the quotes, names of attributes even ones.
        let source = random(parts.count / 2) * 2 + 1
        let destination = random(parts.count / 2) * 2 + 1
        parts[destination] = random(4) == 0 ? "" : parts[source]
      }
      let data = Data(parts.joined(separator: "\"").utf8)
      guard let document = try? ModelDocument(contents: data) else { continue }
      guard let model = try? NSManagedObjectModel(document: document) else { continue }
      model.freeze()
      _ = model.versionChecksum
      used += 1
    }
    #expect(used > 0)
  }
}
