#if !canImport(Darwin)
  import CoreData
  import Foundation
  import ModelFormats

  /// The objects and values that a store would lose in a migration, because the newer model does not have them.
  struct StoreLoss {
    /// An entity or a property of the older model, and the store's data of it.
    private struct Part {
      let name: String
      let words: String
      /// The inverse relationship, which has the same links; nil where there is none.
      let inverse: String?
    }

    private let parts: [Part]

    /// Counts the data in the store that the plan removes.
    ///
    /// - Parameter options: the store options, which limit the wait for other programs.
    /// - Throws: a `CommandFailure` when the plan's older model can no longer read the store.
    init(of store: StoreLocation, plan: MigrationPlan, options: [AnyHashable: Any]) throws {
      let removals = Self.countable(plan.removals, in: plan.source)
      if removals.isEmpty {
        parts = []
        return
      }
      let counts: [Int]
      do {
        counts = try Self.counts(of: removals, in: store, source: plan.source, options: options)
      } catch {
        throw ClosedStore.failure(store, error: error)
      }
      let total = Dictionary(zip(removals, counts).map { ($0.name, $1) }) { $0 + $1 }
      var names: Set<String> = []
      parts = removals.compactMap { removal in
        guard let count = total[removal.name], count > 0, names.insert(removal.name).inserted else { return nil }
        return Self.part(removal, count: count, source: plan.source)
      }
    }

    var isEmpty: Bool { parts.isEmpty }

    /// The loss as a text: `6 objects of Category, the values of Note.contents in 36 objects`.
    var words: String { Self.words(parts) }

    /// What the user can do about the loss.
    var remedy: String { Self.remedy(parts) }

    /// - Throws: a `CommandFailure` that names the loss, unless the user has named all of it.
    func require(_ store: StoreLocation, dropped: [String]) throws {
      let unnamed = parts.filter { part in
        !dropped.contains(part.name) && !(part.inverse.map { dropped.contains($0) } ?? false)
      }
      if unnamed.isEmpty { return }
      throw CommandFailure(
        store: store,
        problem: "the migration would lose \(Self.words(unnamed)); nothing was migrated",
        remedy: Self.remedy(unnamed)
      )
    }

    // MARK: - Counting

    /// Removes relationships to removed entities, because their links are lost together with the objects.
    private static func countable(
      _ removals: [ModelLoss.Removal],
      in source: NSManagedObjectModel
    ) -> [ModelLoss.Removal] {
      let entities = Set(removals.filter { $0.property == nil }.map(\.entity))
      return removals.filter { removal in
        guard let destination = relationship(removal, in: source)?.destinationEntity?.name else { return true }
        return !entities.contains(destination)
      }
    }

    private static func relationship(
      _ removal: ModelLoss.Removal,
      in source: NSManagedObjectModel
    ) -> NSRelationshipDescription? {
      removal.keyPath.flatMap { source.entitiesByName[removal.entity]?.relationshipsByName[$0] }
    }

    /// The number of objects that each removal affects.
    private static func counts(
      of removals: [ModelLoss.Removal],
      in store: StoreLocation,
      source: NSManagedObjectModel,
      options: [AnyHashable: Any]
    ) throws -> [Int] {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: source)
      let opened = try coordinator.addPersistentStore(
        ofType: store.storeType,
        configurationName: nil,
        at: store.url,
        options: options.merging([NSReadOnlyPersistentStoreOption: true]) { $1 }
      )
      defer { try? coordinator.remove(opened) }
      let hashes = coordinator.metadata(for: opened)[NSStoreModelVersionHashesKey] as? [String: Data]
      let stored = Set(hashes.map { Array($0.keys) } ?? [])
      let formats = removals.map { removal in
        relationship(removal, in: source)?.isToMany == true
          ? "%K.@count > \(removal.keptCount)" : "%K != NULL"
      }
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return try context.performAndWait {
        try zip(removals, formats).map { removal, format -> Int in
          // A store of a configuration has only some of the entities.
          guard stored.contains(removal.entity) else { return 0 }
          let request = NSFetchRequest<NSManagedObject>(entityName: removal.entity)
          request.includesSubentities = false
          request.predicate = removal.keyPath.map { NSPredicate(format: format, $0) }
          return try context.count(for: request)
        }
      }
    }

    // MARK: - Words

    private static func part(_ removal: ModelLoss.Removal, count: Int, source: NSManagedObjectModel) -> Part {
      let objects = count == 1 ? "1 object" : "\(count) objects"
      guard let property = removal.property else {
        return Part(name: removal.name, words: "\(objects) of \(removal.entity)", inverse: nil)
      }
      let relationship = relationship(removal, in: source)
      let inverse = relationship?.inverseRelationship.map { "\($0.entity.name ?? "").\($0.name)" }
      let content = relationship == nil ? "values" : "destinations"
      return Part(name: removal.name, words: "the \(content) of \(property) in \(objects)", inverse: inverse)
    }

    private static func words(_ parts: [Part]) -> String { parts.map(\.words).joined(separator: ", ") }

    private static func remedy(_ parts: [Part]) -> String {
      let options = parts.map { "--drop \($0.name)" }.joined(separator: " ")
      return "give the model that the store belongs to, or allow the loss with \(options)"
    }
  }
#endif
