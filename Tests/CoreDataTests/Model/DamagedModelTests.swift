import CoreData
import Foundation
import ModelFormats
import Testing

@testable import CoreData

@Suite("Archives of models that are damaged")
struct DamagedModelTests {
  private func load(_ data: Data) throws {
    let model = try NSManagedObjectModel(document: ModelDocument(compiled: data), file: "damaged.mom")
    model.freeze()
    _ = model.entityVersionHashesByName
    _ = try? SQLSchemaBuilder.build(model: model, entities: model.entities)
  }

  @Test("are read or refused, wherever they break off and whichever bytes are wrong")
  func mutants() throws {
    let data = try TestModel.make().document.archivedForStore()
    try load(data)
    for length in stride(from: 0, to: data.count, by: 97) {
      #expect(throws: (any Error).self) { try load(data.prefix(length)) }
    }
    var random = SeededNumbers()
    var refused = 0
    for _ in 0..<600 {
      var mutant = data
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        mutant[Int.random(in: 8..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        try load(mutant)
      } catch {
        refused += 1
      }
    }
    #expect(refused > 50)
  }
}

/// The same numbers each time: what fails can be found again.
private struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64 = 0x5EED

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
