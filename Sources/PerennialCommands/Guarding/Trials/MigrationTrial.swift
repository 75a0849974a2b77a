#if !canImport(Darwin)
  import CoreData
  import DataGeneration
  import Foundation
  import Seeding

  /// Tries a migration: generates data, seeds a store in a temporary folder, migrates it, and compares the contents.
  struct MigrationTrial {
    enum Outcome {
      /// The migration succeeded and kept the contents. The number is that of the objects.
      case passed(objects: Int)
      /// The reason that no trial was possible.
      case untried(String)
      /// The step that failed, and the reason.
      case failed(MigrationStep, reason: String)
      /// The step after which the contents differed, and the entity's name in the newer version.
      case changed(MigrationStep, entity: String, words: String)
    }

    let steps: [MigrationStep]
    /// The number of objects that the trial generates of each entity.
    let count: Int

    /// - Throws: the system's error when no temporary folder can be made.
    func run() throws -> Outcome {
      guard let first = steps.first else { return .passed(objects: 0) }
      let policies = steps.flatMap(\.policies)
      if !policies.isEmpty {
        return .untried("the mapping model asks for \(policies.joined(separator: ", ")), which the program has")
      }
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      let attributes: [FileAttributeKey: Any] = [.posixPermissions: NSNumber(value: 0o700)]
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: attributes)
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = folder.appendingPathComponent("Trial.sqlite")
      if first.plan.source.entities.allSatisfy(\.isAbstract) {
        return .untried("\(first.former) has no entity that objects can be made of")
      }
      do {
        try fill(store, of: first.plan.source, in: folder)
      } catch {
        return .untried("no data can be made for \(first.former): \(ErrorWords.describe(error))")
      }
      var objects = 0
      for (index, step) in steps.enumerated() {
        let views = ContentView.views(of: step.plan)
        do {
          let before = try StoreContents(of: store, model: step.plan.source, view: views.before)
          if index == 0 { objects = before.count }
          try NSPersistentStoreCoordinator(managedObjectModel: step.plan.destination).migrateStore(
            at: store,
            ofType: NSSQLiteStoreType,
            from: step.plan.source,
            by: step.plan.mapping
          )
          let after = try StoreContents(of: store, model: step.plan.destination, view: views.after)
          // A mapping model may change data on purpose, so only inferred steps are compared.
          if step.mapping == nil, let difference = after.differences(from: before).first {
            return .changed(step, entity: difference.entity, words: difference.words)
          }
        } catch {
          return .failed(step, reason: ErrorWords.describe(error))
        }
      }
      return .passed(objects: objects)
    }

    private func fill(_ store: URL, of model: NSManagedObjectModel, in folder: URL) throws {
      let names = model.entities.filter { !$0.isAbstract }.compactMap(\.name)
      let counts = Dictionary(names.map { ($0, count) }) { first, _ in first }
      let seed = folder.appendingPathComponent("made.jsonl")
      try DataGenerator(model: model, plan: GenerationPlan(counts: counts)).write(to: seed)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let opened = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType,
        configurationName: nil,
        at: store,
        options: nil
      )
      defer { try? coordinator.remove(opened) }
      try Seeder(.file(seed), policy: .always).runAndWait(in: coordinator)
    }
  }
#endif
