import CoreData
import Foundation

/// Finds objects by natural key: those that it was given, and those that the store has.
struct ObjectIndex {
  /// Natural keys to look for, by entity.
  struct Wanted {
    fileprivate var keys: [String: Set<AttributeValue>] = [:]
    fileprivate var shapesByName: [String: EntityShape] = [:]

    /// The entities of the keys, by name.
    var shapes: [EntityShape] { shapesByName.sorted { $0.key < $1.key }.map(\.value) }

    mutating func add(_ key: AttributeValue, of shape: EntityShape) {
      shapesByName[shape.name] = shape
      keys[shape.name, default: []].insert(key)
    }
  }

  private enum Entry {
    case one(NSManagedObject)
    /// There is more than one, so that none of them can be meant.
    case several
  }

  /// SQLite takes 32,766 values in one statement. Few large fetches are better than many: a natural key need not
  /// have an index, and then each fetch looks at all objects.
  private static let largestFetch = 10_000

  private let context: NSManagedObjectContext
  private var entries: [String: [AttributeValue: Entry]] = [:]
  private var presentCounts: [String: Int] = [:]

  init(_ context: NSManagedObjectContext) {
    self.context = context
  }

  /// The object with the key, nil if there is none. Throws when there are several.
  func object(_ key: AttributeValue, of shape: EntityShape, at position: SeedPosition) throws
    -> NSManagedObject?
  {
    switch entries[shape.name]?[key] {
    case .one(let object): return object
    case nil: return nil
    case .several:
      let attribute = shape.naturalKey?.name ?? ""
      throw SeedError(
        .ambiguousKey,
        at: position,
        "there are several \(shape.name) with the \(attribute) \(key.words)",
        remedy: "make it unique, or name another key in \(NaturalKey.userInfoKey) of the entity's user info"
      )
    }
  }

  func keys(of shape: EntityShape) -> some Collection<AttributeValue> {
    (entries[shape.name] ?? [:]).keys
  }

  /// Adds an object of the seed.
  mutating func add(_ object: NSManagedObject, _ key: AttributeValue, of shape: EntityShape) {
    let entry: Entry
    switch entries[shape.name]?[key] {
    case nil: entry = .one(object)
    case .one(let known) where known === object: return
    default: entry = .several
    }
    entries[shape.name, default: [:]][key] = entry
  }

  /// Fetches what is wanted and not in the index yet.
  mutating func fetch(_ wanted: Wanted) throws {
    for shape in wanted.shapes {
      guard let key = shape.naturalKey else { continue }
      let known = entries[shape.name] ?? [:]
      let missing = (wanted.keys[shape.name] ?? []).filter { known[$0] == nil }
      let present = missing.isEmpty ? 0 : try presentCount(of: shape)
      // A new store needs no look-ups, and a store that holds little else is read as a whole.
      guard present > 0 else { continue }
      if missing.count > Self.largestFetch, missing.count > present / 4 {
        try add(fetched: NSFetchRequest(entityName: shape.name), of: shape, key, missing)
        continue
      }
      let keys = Array(missing)
      for start in stride(from: 0, to: keys.count, by: Self.largestFetch) {
        let request = NSFetchRequest<NSManagedObject>(entityName: shape.name)
        let values = keys[start...].prefix(Self.largestFetch).compactMap(\.object)
        request.predicate = NSPredicate(format: "%K IN %@", key.name, values as NSArray)
        try add(fetched: request, of: shape, key, missing)
      }
    }
  }

  private mutating func add(
    fetched request: NSFetchRequest<NSManagedObject>,
    of shape: EntityShape,
    _ key: NaturalKey,
    _ missing: Set<AttributeValue>
  ) throws {
    request.returnsObjectsAsFaults = false
    for object in try context.fetch(request) {
      let value = AttributeValue(object.value(forKey: key.name), of: key.attribute.attributeType)
      guard let value, missing.contains(value) else { continue }
      let isFirst = entries[shape.name]?[value] == nil
      entries[shape.name, default: [:]][value] = isFirst ? .one(object) : .several
    }
  }

  /// How many objects of the entity there were before the first look-up.
  private mutating func presentCount(of shape: EntityShape) throws -> Int {
    if let count = presentCounts[shape.name] { return count }
    let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: shape.name))
    presentCounts[shape.name] = count
    return count
  }
}
