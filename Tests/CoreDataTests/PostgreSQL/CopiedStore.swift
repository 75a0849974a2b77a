import CoreData
import Foundation
import TestModels

/// A model with every type of attribute and relationship that a store supports, and a store with that model.
enum CopiedStore {
  static let model = make()

  private static func make() -> NSManagedObjectModel {
    let base = makeEntity("Base", NSManagedObject.self, [makeAttribute("name")])
    let thing = makeEntity("Thing", NSManagedObject.self, attributes())
    base.subentities = [thing]
    let shelf = makeEntity("Shelf", NSManagedObject.self, [makeAttribute("title")])
    relate(shelf, "things", isToMany: true, isOrdered: true, thing, "shelf", isToMany: false)
    let friends = makeRelationship("friends", to: base, toMany: true)
    friends.inverseRelationship = friends
    base.properties.append(friends)
    shelf.properties.append(makeRelationship("marks", to: base, toMany: true))
    thing.properties.append(makeRelationship("favourite", to: base))
    let (visits, visitors) = (
      makeRelationship("visits", to: shelf, toMany: true),
      makeRelationship("visitors", to: base, toMany: true)
    )
    (visits.isOrdered, visitors.isOrdered) = (true, true)
    connect(visits, visitors)
    base.properties.append(visits)
    shelf.properties.append(visitors)
    base.attributesByName["name"]?.preservesValueInHistoryOnDeletion = true
    return makeModel([base, thing, shelf])
  }

  private static func attributes() -> [NSPropertyDescription] {
    let types: [(String, NSAttributeType)] = [
      ("small", .integer16AttributeType), ("medium", .integer32AttributeType),
      ("large", .integer64AttributeType),
      ("isOpen", .booleanAttributeType), ("ratio", .doubleAttributeType), ("share", .floatAttributeType),
      ("price", .decimalAttributeType), ("date", .dateAttributeType), ("identifier", .UUIDAttributeType),
      ("link", .URIAttributeType), ("data", .binaryDataAttributeType), ("list", .transformableAttributeType),
    ]
    let body = makeAttribute("body", .binaryDataAttributeType)
    body.allowsExternalBinaryDataStorage = true
    let changed = NSDerivedAttributeDescription()
    (changed.name, changed.attributeType, changed.isOptional) = ("changed", .dateAttributeType, true)
    changed.derivationExpression = NSExpression(format: "now()")
    let folded = NSDerivedAttributeDescription()
    (folded.name, folded.attributeType, folded.isOptional) = ("folded", .stringAttributeType, true)
    folded.derivationExpression = NSExpression(format: "lowercase:(name)")
    let place = NSCompositeAttributeDescription()
    (place.name, place.isOptional) = ("place", true)
    place.elements = [makeAttribute("latitude", .doubleAttributeType), makeAttribute("label")]
    return types.map { makeAttribute($0.0, $0.1) } + [body, changed, folded, place]
  }

  /// Fills a store with some objects of each entity, whose keys are not consecutive.
  ///
  /// - Parameter price: the first digits of the decimal numbers.
  static func fill(_ context: NSManagedObjectContext, price: String = "0.01") throws {
    context.transactionAuthor = "author"
    func make(_ entity: String, _ name: String) -> NSManagedObject {
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      object.setValue(name, forKey: entity == "Shelf" ? "title" : "name")
      return object
    }
    let things = (0..<40).map { number -> NSManagedObject in
      let thing = make(number.isMultiple(of: 3) ? "Base" : "Thing", "Ünï \(number) \"\\\n")
      if thing.entity.name == "Thing" { setValues(thing, number, price) }
      return thing
    }
    let shelves = (0..<3).map { make("Shelf", "shelf \($0)") }
    let ordered = things.filter { $0.entity.name == "Thing" }
    for (index, shelf) in shelves.enumerated() {
      let own = ordered.enumerated().filter { $0.offset % 3 == index }.map(\.element)
      shelf.setValue(NSOrderedSet(array: own.reversed()), forKey: "things")
      shelf.setValue(Set([things[index], things[10 + index]]), forKey: "marks")
      shelf.setValue(NSOrderedSet(array: [things[20], things[3 + index], things[index]]), forKey: "visitors")
    }
    things[5].setValue(Set(things[6..<12]), forKey: "friends")
    ordered[0].setValue(things[0], forKey: "favourite")
    ordered[1].setValue(ordered[2], forKey: "favourite")
    try context.save()
    things[1].setValue("changed", forKey: "name")
    context.delete(things[30])
    context.delete(things[39])
    try context.save()
  }

  private static func setValues(_ thing: NSManagedObject, _ number: Int, _ price: String) {
    thing.setValue(Int16.min, forKey: "small")
    thing.setValue(Int32.max, forKey: "medium")
    thing.setValue(Int64.max - Int64(number), forKey: "large")
    thing.setValue(number.isMultiple(of: 2), forKey: "isOpen")
    thing.setValue(1.1 * Double(number) + .ulpOfOne, forKey: "ratio")
    thing.setValue(Float(number) / 3, forKey: "share")
    thing.setValue(
      Decimal(string: "\(price)\(number)01").map(NSDecimalNumber.init(decimal:)),
      forKey: "price"
    )
    thing.setValue(Date(timeIntervalSinceReferenceDate: 1e9 / 7 + Double(number)), forKey: "date")
    thing.setValue(UUID(), forKey: "identifier")
    thing.setValue(URL(string: "https://example.com/\(number)?a=b"), forKey: "link")
    thing.setValue(Data((0..<UInt8(number))), forKey: "data")
    thing.setValue(["a", number] as NSArray, forKey: "list")
    thing.setValue(Data(repeating: UInt8(number), count: number == 4 ? 1_500_000 : 10), forKey: "body")
    thing.setValue(["latitude": Double(number), "label": "here"], forKey: "place")
  }

  /// The contents of a store. Each object has a line with its key, its version, its values, and the keys of its
  /// related objects.
  static func lines(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try ["Base", "Shelf"].flatMap { entity in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
        .sorted { key($0) < key($1) }.map(line)
    }
  }

  private static func key(_ object: NSManagedObject) -> Int {
    Int(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
  }

  private static func line(_ object: NSManagedObject) -> String {
    var parts = ["\(object.entity.name ?? "") \(key(object))"]
    for name in object.entity.attributesByName.keys.sorted() {
      parts.append("\(name)=\(text(object.value(forKey: name)))")
    }
    for name in object.entity.relationshipsByName.keys.sorted() {
      let keys: [Int] =
        switch object.value(forKey: name) {
        case let set as NSOrderedSet: set.array.compactMap { ($0 as? NSManagedObject).map(key) }
        case let set as Set<NSManagedObject>: set.map(key).sorted()
        case let one as NSManagedObject: [key(one)]
        default: []
        }
      parts.append("\(name)=\(keys)")
    }
    return parts.joined(separator: " ")
  }

  private static func text(_ value: Any?) -> String {
    switch value {
    case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
    case let data as Data: data.base64EncodedString()
    case let values as [String: Any]:
      values.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
    case let value?: "\(value)"
    case nil: "nil"
    }
  }

  /// The history, with a line for each transaction and change.
  static func history(_ context: NSManagedObjectContext) throws -> [String] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
    return transactions.flatMap { [line($0)] + ($0.changes ?? []).map(line) }
  }

  private static func line(_ transaction: NSPersistentHistoryTransaction) -> String {
    let time = transaction.timestamp.timeIntervalSinceReferenceDate
    let (author, context) = (transaction.author ?? "nil", transaction.contextName ?? "nil")
    return "\(transaction.transactionNumber) \(time) \(author) \(context) \(transaction.processID)"
  }

  private static func line(_ change: NSPersistentHistoryChange) -> String {
    let names: [String] = change.updatedProperties?.map(\.name).sorted() ?? []
    let key = change.changedObjectID.uriRepresentation().lastPathComponent
    let entity = change.changedObjectID.entity.name ?? ""
    let (type, tombstone) = (change.changeType.rawValue, change.tombstone ?? [:])
    return "  \(change.changeID) \(type) \(key) \(entity) \(names) \(tombstone)"
  }
}
