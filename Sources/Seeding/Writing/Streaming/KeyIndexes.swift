#if !canImport(Darwin)
  import CoreData

  /// The natural keys of each entity's objects: those of the store, once an entity is needed, and those of the run.
  struct KeyIndexes {
    /// Objects that are read at a time.
    private static let batchSize = 5000

    private let context: NSManagedObjectContext
    private let entities: [NSEntityDescription]
    private let numbers: [ObjectIdentifier: Int]
    /// The superentities that relationships lead to, by entity: their keys name its objects, too.
    private var superentities: [ObjectIdentifier: [(entity: ObjectIdentifier, key: NaturalKey)]] = [:]
    private(set) var naturalKeys = NaturalKeys()
    private var indexes: [ObjectIdentifier: KeyIndex] = [:]

    init(context: NSManagedObjectContext, model: NSManagedObjectModel) {
      self.context = context
      entities = model.entities
      numbers = Dictionary(
        uniqueKeysWithValues: entities.enumerated().map { (ObjectIdentifier($1), $0) }
      )
      findSuperentities()
    }

    /// The keys of entities that are already in use do not change.
    mutating func use(_ naturalKeys: NaturalKeys) {
      guard naturalKeys != self.naturalKeys else { return }
      self.naturalKeys = naturalKeys
      findSuperentities()
    }

    private mutating func findSuperentities() {
      let keys = naturalKeys
      let destinations = Set(
        entities.flatMap { $0.relationshipsByName.values }.compactMap(\.destinationEntity)
          .map { ObjectIdentifier($0) }
      )
      superentities = Dictionary(
        uniqueKeysWithValues: entities.map { entity in
          let above = entity.lineage.dropFirst().filter { destinations.contains(ObjectIdentifier($0)) }
          let named = above.compactMap { entity in keys.key(of: entity).map { (ObjectIdentifier(entity), $0) }
          }
          return (ObjectIdentifier(entity), named)
        }
      )
    }

    func number(of entity: NSEntityDescription) -> Int { numbers[ObjectIdentifier(entity)] ?? 0 }

    func entity(_ number: Int) -> NSEntityDescription { entities[number] }

    /// The entry under a key; nil when there is none. The store's objects of the entity are gone
    /// over when the first is asked for.
    mutating func entry(_ hash: KeyHash, of shape: EntityShape) throws -> KeyEntry? {
      let id = ObjectIdentifier(shape.entity)
      if indexes[id] == nil { indexes[id] = try read(shape) }
      return indexes[id]?[hash]
    }

    /// Puts an object of the run under its key, and under those by which the entities above its own name it.
    mutating func set(_ entry: KeyEntry, hash: KeyHash?, of record: PlannedRecord) throws {
      if let hash {
        let id = ObjectIdentifier(record.shape.entity)
        if indexes[id] == nil { indexes[id] = try read(record.shape) }
        indexes[id]?[hash] = entry
      }
      for (superentity, key) in superentities(of: record.shape) {
        guard let values = record.values(for: key) else { continue }
        // An index that does not exist yet is read from the store later, which contains the object by then.
        indexes[superentity]?[KeyHash(values)] = entry
      }
    }

    /// The entities above one that references may name its objects by.
    func superentities(of shape: EntityShape) -> [(entity: ObjectIdentifier, key: NaturalKey)] {
      superentities[ObjectIdentifier(shape.entity)] ?? []
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
