import CoreData
import Foundation

/// Finds objects by natural key, among the objects that were added and those of the store.
struct ObjectIndex {
  /// Natural keys to look for, by entity.
  struct Wanted {
    private struct Entity {
      var shape: EntityShape
      var keys: Set<KeyValues> = []
      /// The names of to-many relationships that are fetched along with the objects.
      var prefetched: Set<String> = []

      mutating func add(_ key: KeyValues, of shape: EntityShape) {
        self.shape = shape
        keys.insert(key)
      }
    }

    private var entities: [String: Entity] = [:]

    /// The entities of the keys, by name.
    var shapes: [EntityShape] { entities.sorted { $0.key < $1.key }.map(\.value.shape) }

    mutating func add(_ key: KeyValues, of shape: EntityShape) {
      entities[shape.name, default: Entity(shape: shape)].add(key, of: shape)
    }

    /// Adds the object of a record, and the relationships that are compared with it.
    mutating func add(_ record: PlannedRecord, isCompared: Bool) {
      guard let key = record.naturalKey else { return }
      add(key, of: record.shape)
      guard isCompared else { return }
      for reference in record.references where reference.relationship.isToMany {
        entities[record.shape.name]?.prefetched.insert(reference.relationship.name)
      }
    }

    fileprivate func keys(of shape: EntityShape) -> Set<KeyValues> { entities[shape.name]?.keys ?? [] }

    fileprivate func prefetched(of shape: EntityShape) -> Set<String> { entities[shape.name]?.prefetched ?? [] }
  }

  private enum Entry {
    case one(NSManagedObject)
    /// Several objects have the key, so that it cannot identify one of them.
    case several
  }

  /// SQLite takes 32,766 values in one statement, and a text may have three spellings. Few large fetches are better
  /// than many: a natural key need not have an index, and then each fetch looks at all objects.
  private static let largestFetch = 10_000

  private let context: NSManagedObjectContext
  private var entries: [String: [KeyValues: Entry]] = [:]
  private var presentCounts: [String: Int] = [:]

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// The object with the key; nil if there is none.
  ///
  /// - Throws: A `SeedError` when there are several.
  func object(_ key: KeyValues, of shape: EntityShape, at position: SeedPosition) throws
    -> NSManagedObject?
  {
    switch entries[shape.name]?[key] {
    case .one(let object): return object
    case nil: return nil
    case .several: throw SeedFailure.ambiguous(key, of: shape, at: position)
    }
  }

  /// The object with the key, nil if there is none or several.
  func knownObject(_ key: KeyValues, of shape: EntityShape) -> NSManagedObject? {
    if case .one(let object)? = entries[shape.name]?[key] { object } else { nil }
  }

  /// Returns true when there is an object with the key, or several.
  func hasObject(_ key: KeyValues?, of shape: EntityShape) -> Bool {
    key.map { entries[shape.name]?[$0] != nil } ?? false
  }

  func keys(of shape: EntityShape) -> some Collection<KeyValues> { (entries[shape.name] ?? [:]).keys }

  /// Adds an object of the seed.
  mutating func add(_ object: NSManagedObject, key: KeyValues, of shape: EntityShape) {
    let entry: Entry
    switch entries[shape.name]?[key] {
    case nil: entry = .one(object)
    case .one(let known) where known === object: return
    default: entry = .several
    }
    entries[shape.name, default: [:]][key] = entry
  }

  /// Fetches the wanted objects that are not in the index yet.
  mutating func fetch(_ wanted: Wanted) throws {
    for shape in wanted.shapes {
      guard let key = shape.naturalKey else { continue }
      let known = entries[shape.name] ?? [:]
      let missing = wanted.keys(of: shape).filter { known[$0] == nil }
      let present = missing.isEmpty ? 0 : try presentCount(of: shape)
      // A new store needs no look-ups, and a store with few other objects is read as a whole.
      guard present > 0 else { continue }
      if missing.count > Self.largestFetch, missing.count > present / 4 {
        try add(fetched: NSFetchRequest(entityName: shape.name), of: shape, key: key, missing: missing)
        continue
      }
      let keys = Array(missing)
      let count = Self.largestFetch / key.parts.count
      for start in stride(from: 0, to: keys.count, by: count) {
        let request = NSFetchRequest<NSManagedObject>(entityName: shape.name)
        request.predicate = Self.predicate(keys[start...].prefix(count), key: key)
        let prefetched = wanted.prefetched(of: shape).sorted()
        try add(fetched: request, of: shape, key: key, missing: missing, prefetching: prefetched)
      }
      try addOtherSpellings(of: shape, key: key, missing: missing)
    }
  }

  /// Looks for what was not found once more, in the spellings that the store has of the texts. The
  /// rare ones cannot be guessed, such as a text that is composed in parts.
  private mutating func addOtherSpellings(of shape: EntityShape, key: NaturalKey, missing: Set<KeyValues>)
    throws
  {
    let known = entries[shape.name] ?? [:]
    let keys = missing.filter { known[$0] == nil && $0.hasSpellings }
    guard !keys.isEmpty else { return }
    var spellings = StoredSpellings(key: key, keys: keys)
    try spellings.find(in: context, shape: shape)
    guard let predicate = spellings.predicate else { return }
    let request = NSFetchRequest<NSManagedObject>(entityName: shape.name)
    request.predicate = predicate
    try add(fetched: request, of: shape, key: key, missing: keys)
  }

  /// Fetches objects that may have one of the keys: each part has one of the values that the keys
  /// have for it, in any of their spellings. Objects with a wrong combination of values are sorted
  /// out afterwards, and so are those of relationships.
  private static func predicate(_ keys: ArraySlice<KeyValues>, key: NaturalKey) -> NSPredicate? {
    var predicates: [NSPredicate] = []
    for (index, part) in key.parts.enumerated() {
      guard case .attribute(let attribute) = part else { continue }
      let values = Set(
        keys.compactMap { key in
          if case .value(let value) = key.parts[index] { value } else { nil }
        }
      )
      predicates.append(NSPredicate(format: "%K IN %@", attribute.name, values.flatMap(\.storedObjects) as NSArray))
    }
    return predicates.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
  }

  private mutating func add(
    fetched request: NSFetchRequest<NSManagedObject>,
    of shape: EntityShape,
    key: NaturalKey,
    missing: Set<KeyValues>,
    prefetching relationships: [String] = []
  ) throws {
    request.returnsObjectsAsFaults = false
    let keyRelationships = key.parts.compactMap { part in
      if case .relationship(let relationship, _) = part { relationship.name } else { nil }
    }
    request.relationshipKeyPathsForPrefetching = keyRelationships + relationships
    for object in try context.fetch(request) {
      guard let value = key.values(of: object), missing.contains(value) else { continue }
      let isFirst = entries[shape.name]?[value] == nil
      entries[shape.name, default: [:]][value] = isFirst ? .one(object) : .several
    }
  }

  /// The number of objects of the entity before the first look-up.
  private mutating func presentCount(of shape: EntityShape) throws -> Int {
    if let count = presentCounts[shape.name] { return count }
    let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: shape.name))
    presentCounts[shape.name] = count
    return count
  }
}
