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

  /// SQLite takes a limited number of values in one statement.
  private static let largestFetch = 500

  private let context: NSManagedObjectContext
  private var entries: [String: [AttributeValue: Entry]] = [:]
  private var empty: Set<String> = []

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
      guard let attribute = shape.naturalKey?.attribute, !(try isEmpty(shape)) else { continue }
      let known = entries[shape.name] ?? [:]
      let missing = Array((wanted.keys[shape.name] ?? []).lazy.filter { known[$0] == nil })
      for start in stride(from: 0, to: missing.count, by: Self.largestFetch) {
        try fetch(missing[start...].prefix(Self.largestFetch), of: shape, attribute)
      }
    }
  }

  private mutating func fetch(
    _ keys: some Collection<AttributeValue>,
    of shape: EntityShape,
    _ attribute: NSAttributeDescription
  ) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: shape.name)
    let values = keys.compactMap(\.object)
    request.predicate = NSPredicate(format: "%K IN %@", attribute.name, values as NSArray)
    request.returnsObjectsAsFaults = false
    for object in try context.fetch(request) {
      let value = AttributeValue(object.value(forKey: attribute.name), of: attribute.attributeType)
      guard let value else { continue }
      let isFirst = entries[shape.name]?[value] == nil
      entries[shape.name, default: [:]][value] = isFirst ? .one(object) : .several
    }
  }

  /// A store without objects of the entity, such as a new one, needs no look-ups.
  private mutating func isEmpty(_ shape: EntityShape) throws -> Bool {
    if empty.contains(shape.name) { return true }
    guard entries[shape.name] == nil else { return false }
    let request = NSFetchRequest<NSManagedObject>(entityName: shape.name)
    guard try context.count(for: request) == 0 else { return false }
    empty.insert(shape.name)
    return true
  }
}
