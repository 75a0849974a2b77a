import CoreData
import Foundation
import ModelFormats
import TestSupport
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

  @Test("damaged model archives are read or refused, wherever they end and whichever bytes are wrong")
  func mutants() throws {
    let data = try TestModel.make().document.archivedForStore()
    try load(data)
    for length in stride(from: 0, to: data.count, by: 97) {
      #expect(throws: (any Error).self) { try load(data.prefix(length)) }
    }
    var random = SplitMix(seed: 0x5EED)
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
