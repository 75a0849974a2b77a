#if !canImport(Darwin)
  import CoreData

  /// The natural keys of each entity's objects: those of the store, once an entity is needed, and those of the run.
  struct KeyIndexes {
    /// Objects that are read at a time.
    private static let batchSize = 5000

    /// What is known of an entity.
    private struct Keys {
      /// The superentities that relationships lead to, by their numbers: their keys name its objects, too.
      var superentities: [(entity: Int, key: NaturalKey)] = []
      /// Nil before the store's objects are needed.
      var index: KeyIndex?
    }

    private let context: NSManagedObjectContext
    private let entities: [NSEntityDescription]
    private let numbers: [ObjectIdentifier: Int]
    /// By the number of the entity.
    private var keys: [Keys]
    private(set) var naturalKeys = NaturalKeys()

    init(context: NSManagedObjectContext, model: NSManagedObjectModel) {
      self.context = context
      entities = model.entities
      numbers = Dictionary(
        uniqueKeysWithValues: entities.enumerated().map { (ObjectIdentifier($1), $0) }
      )
      keys = entities.map { _ in Keys() }
      findSuperentities()
    }

    /// The keys of entities that are already in use do not change.
    mutating func use(_ naturalKeys: NaturalKeys) {
      guard naturalKeys != self.naturalKeys else { return }
      self.naturalKeys = naturalKeys
      findSuperentities()
    }

    private mutating func findSuperentities() {
      let destinations = Set(
        entities.flatMap { $0.relationshipsByName.values }.compactMap(\.destinationEntity)
          .map { ObjectIdentifier($0) }
      )
      for (number, entity) in entities.enumerated() {
        let above = entity.lineage.dropFirst().filter { destinations.contains(ObjectIdentifier($0)) }
        keys[number].superentities = above.compactMap { entity in
          naturalKeys.key(of: entity).map { (self.number(of: entity), $0) }
        }
      }
    }

    func number(of entity: NSEntityDescription) -> Int { numbers[ObjectIdentifier(entity)] ?? 0 }

    func entity(_ number: Int) -> NSEntityDescription { entities[number] }

    /// The entry under a key; nil when there is none. The store's objects of the entity are gone
    /// over when the first is asked for.
    mutating func entry(_ hash: KeyHash, of shape: EntityShape) throws -> KeyEntry? {
      let number = number(of: shape.entity)
      if keys[number].index == nil { keys[number].index = try read(shape) }
      return keys[number].index?[hash]
    }

    /// Puts an object of the run under its key, and under those by which the entities above its own name it.
    mutating func set(_ entry: KeyEntry, hash: KeyHash?, of record: PlannedRecord) throws {
      let number = number(of: record.shape.entity)
      if let hash {
        if keys[number].index == nil { keys[number].index = try read(record.shape) }
        keys[number].index?[hash] = entry
      }
      for (superentity, key) in keys[number].superentities {
        guard let values = record.values(for: key) else { continue }
        // An index that does not exist yet is read from the store later, which contains the object by then.
        keys[superentity].index?[KeyHash(values)] = entry
      }
    }

    /// The entities above one that references may name its objects by, as their numbers.
    func superentities(of shape: EntityShape) -> [(entity: Int, key: NaturalKey)] {
      keys[number(of: shape.entity)].superentities
    }

    private func read(_ shape: EntityShape) throws -> KeyIndex {
      var index = KeyIndex()
      guard let key = shape.naturalKey else { return index }
      let request = NSFetchRequest<NSManagedObject>(entityName: shape.name)
      func add(_ values: KeyValues?, primaryKey: Int64?, entity: NSEntityDescription) throws {
        guard let values, let primaryKey else { return }
        let entry = try KeyEntry(primaryKey: primaryKey, entity: number(of: entity), isSeen: false)
        index.add(entry, hash: KeyHash(values))
      }
      if let attributes = key.attributes {
        try context.forEachSavedValues(of: request, attributes: attributes.map(\.name)) { saved in
          try add(key.values(saved.values), primaryKey: saved.primaryKey, entity: saved.entity)
        }
      } else {
        try context.forEachBatch(of: request, size: Self.batchSize) { objects in
          for object in objects {
            try add(key.values(of: object), primaryKey: NSManagedObjectID.primaryKey(of: object), entity: object.entity)
          }
        }
      }
      return index
    }
  }

#endif
