import CoreData
import DataGeneration
import Foundation
import Seeding

/// A store of a random model with generated data, in its own folder.
struct MadeStore {
  let model: NSManagedObjectModel
  let entities: [String]
  let random: RandomSource
  let coordinator: NSPersistentStoreCoordinator
  let folder: URL

  /// Makes the store with the model of a number, or with the next model for which data can be generated.
  init(_ number: UInt64) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let seed = folder.appendingPathComponent("made.json")
    for variant in 0..<UInt64(20) {
      let made = RandomModel(number + variant * 1_000_003)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: made.model)
      let url = folder.appendingPathComponent("Made\(variant).sqlite")
      try coordinator.addPersistentStore(type: .sqlite, at: url)
      // Some keys do not have enough values for many objects.
      for count in [12, 4] {
        let counts = Dictionary(uniqueKeysWithValues: made.concrete.map { ($0, count) })
        do {
          try DataGenerator(model: made.model, plan: GenerationPlan(counts: counts)).write(to: seed)
          try Seeder(.file(seed)).runAndWait(in: coordinator)
        } catch {
          continue
        }
        (model, entities, random) = (made.model, made.concrete, made.random)
        self.coordinator = coordinator
        return
      }
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
    throw CocoaError(.featureUnsupported)
  }

  func remove() {
    for store in coordinator.persistentStores { try? coordinator.remove(store) }
    try? FileManager.default.removeItem(at: folder)
  }
}
