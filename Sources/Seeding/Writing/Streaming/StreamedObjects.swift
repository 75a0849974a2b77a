#if !canImport(Darwin)
  import CoreData

  /// The objects of the store that chunks of records are about, and those that they refer to.
  struct StreamedObjects {
    private let context: NSManagedObjectContext
    private let store: NSPersistentStore
    /// Objects that are referred to are held up to this number.
    private let mostDestinations: Int
    private var destinations: [KeyEntry: NSManagedObject] = [:]

    init(context: NSManagedObjectContext, store: NSPersistentStore, mostDestinations: Int) {
      self.context = context
      self.store = store
      self.mostDestinations = mostDestinations
    }

    /// The objects that records of a chunk are about, with the relationships that are to be compared.
    func present(for items: [StreamedItem], indexes: KeyIndexes) throws -> [KeyEntry: NSManagedObject] {
      var wanted: [Int: [KeyEntry]] = [:]
      var compared: [Int: Set<String>] = [:]
      for item in items {
        guard let present = item.present else { continue }
        wanted[present.entity, default: []].append(present)
        for reference in item.record.references where reference.relationship.isToMany {
          compared[present.entity, default: []].insert(reference.relationship.name)
        }
      }
      var found: [KeyEntry: NSManagedObject] = [:]
      for (entity, entries) in wanted {
        try fetch(entries, of: entity, indexes: indexes, prefetching: compared[entity] ?? []) { found[$0] = $1 }
      }
      return found
    }

    /// Loads the objects that records of a chunk refer to.
    mutating func fetchDestinations(of items: [StreamedItem], indexes: KeyIndexes) throws {
      var missing: [Int: Set<KeyEntry>] = [:]
      for item in items {
        for case let found? in item.destinations {
          for case .stored(let entry) in found where destinations[entry] == nil {
            missing[entry.entity, default: []].insert(entry)
          }
        }
        for removed in item.removals {
          for entry in removed where destinations[entry] == nil { missing[entry.entity, default: []].insert(entry) }
        }
      }
      for (entity, entries) in missing {
        var found: [(KeyEntry, NSManagedObject)] = []
        try fetch(entries, of: entity, indexes: indexes) { found.append(($0, $1)) }
        for (entry, object) in found { destinations[entry] = object }
      }
    }

    func destination(
      _ entry: KeyEntry,
      reference: PlannedRecord.Reference,
      record: PlannedRecord
    ) throws -> NSManagedObject {
      if let object = destinations[entry] { return object }
      throw SeedError(
        code: .storeFailed,
        at: record.position.with(key: reference.relationship.name),
        problem: "the \(reference.destination.name) that it leads to is not in the store any more",
        remedy: "seed again"
      )
    }

    /// The object to be removed from a relationship, if it still exists.
    func removal(_ entry: KeyEntry) -> NSManagedObject? { destinations[entry] }

    mutating func forgetDestinations() { destinations = [:] }

    mutating func forgetDestinationsIfMany() {
      if destinations.count > mostDestinations { destinations = [:] }
    }

    private func fetch(
      _ entries: some Collection<KeyEntry>,
      of entityNumber: Int,
      indexes: KeyIndexes,
      prefetching relationships: Set<String> = [],
      _ body: (KeyEntry, NSManagedObject) -> Void
    ) throws {
      let entity = indexes.entity(entityNumber)
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      let objectIDs = entries.compactMap { store.objectID(of: entity, primaryKey: $0.primaryKey) }
      request.predicate = NSPredicate(format: "SELF IN %@", objectIDs as NSArray)
      request.relationshipKeyPathsForPrefetching = relationships.sorted()
      request.includesPendingChanges = false
      for object in try context.fetch(request) {
        guard let key = NSManagedObjectID.primaryKey(of: object) else { continue }
        body(try KeyEntry(primaryKey: key, entity: entityNumber, isSeen: true), object)
      }
    }
  }

#endif
