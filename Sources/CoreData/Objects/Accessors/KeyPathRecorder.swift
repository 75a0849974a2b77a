import Foundation
import Predicates

/// Finds the property names of a Swift key path of a managed object. On Linux, key paths do not contain names.
///
/// The key path is read in an object that is made for it, whose accessors tell which property they
/// are asked for; at the end of a relationship stands another such object.
final class KeyPathRecorder {
  private let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  /// The layouts of the objects, which do not own them.
  private var layouts: [EntityLayout] = []
  private var names: [String] = []
  /// The names of the types of the path's properties.
  private var typeNames: [String] = []
  /// The object whose property has to be next; `nil` at the end of the path.
  private weak var next: NSManagedObject?
  /// True when an accessor asked for more than a path has: it computes its value.
  private var isComputed = false

  /// The names, joined by dots; `nil` for a key path that does not lead from a managed object through its properties.
  ///
  /// - Parameter root: the class that the key path begins at.
  static func name(of keyPath: AnyKeyPath, root: NSManagedObject.Type) -> String? {
    if leadsThroughValue(keyPath) { return nil }
    let recorder = KeyPathRecorder()
    return withExtendedLifetime(recorder) {
      let object =
        ClassRegister.knownEntity(of: root).map { recorder.materializeObject(of: $0) }
        ?? recorder.materializeUnmodelledObject(of: root)
      recorder.next = object
      recorder.typeNames = typeNames(of: keyPath)
      _ = (object as Any)[keyPath: keyPath]
      if recorder.isComputed { return nil }
      // No property of the model, but every object has one.
      if [NSManagedObjectID.self, NSManagedObjectID?.self].contains(where: {
        $0 == type(of: keyPath).valueType
      }) {
        return (recorder.names + ["objectID"]).joined(separator: ".")
      }
      if recorder.names.isEmpty { return StoredPropertyProbe(object: object).name(of: keyPath) }
      return recorder.names.joined(separator: ".")
    }
  }

  /// True when a key path continues after a text, a collection or another value, as `\Note.tags.count` does. Such a key
  /// path does not name a property of the model, and a subscript of an object without values would fail. The standard
  /// library lists the types of computed properties in their order.
  private static func leadsThroughValue(_ keyPath: AnyKeyPath) -> Bool {
    typeNames(of: keyPath).dropLast().contains { $0.contains("<") || valueTypes.contains($0) }
  }

  /// The names of the types of computed properties, without optionals, in the order of the path.
  private static func typeNames(of keyPath: AnyKeyPath) -> [String] {
    keyPath.debugDescription.components(separatedBy: ".<computed ").dropFirst().map { part in
      var type = part.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
      while type.hasPrefix("Optional<") { type = type.dropFirst("Optional<".count).dropLast() }
      return String(type)
    }
  }

  private static let valueTypes: Set = [
    "String", "Data", "Date", "URL", "UUID", "Bool", "Double", "Float", "Decimal", "Int", "Int16", "Int32",
    "Int64",
    "NSSet", "NSOrderedSet", "NSArray", "NSString", "NSNumber", "NSDate", "NSData", "Any",
  ]

  /// Records an access.
  ///
  /// - Returns: the property's place, as `PropertyNames` gives it; `nil` when the entity has no such property.
  func record(_ name: String, kind: SlotKind?, in object: NSManagedObject) -> PropertyNames.Index? {
    if object.layout.entity === UnmodelledEntity.entity { return recordUnmodelled(name, kind: kind, in: object) }
    guard let place = object.layout.places[name] else { return nil }
    if object !== next { isComputed = true }
    names.append(name)
    next = nil
    switch place {
    case .toMany(let index): return -1 - index
    case .slot(let slot):
      if let destination = object.layout.slots[slot].relationship?.frozenDestination {
        let end = materializeObject(of: destination)
        object.ensureExtras().setDestination(end, slot: slot)
        next = end
      }
      return slot
    }
  }

  /// Records an access by an accessor that a class declares: where the entity has no such property, another version of
  /// the model has, and the object goes on as one of a class that no model knows.
  func recordDeclared(_ name: String, kind: SlotKind?, in object: NSManagedObject) -> PropertyNames.Index? {
    if let index = record(name, kind: kind, in: object) { return index }
    let layout = unmodelledLayout(of: type(of: object))
    layouts.append(layout)
    object.extras = nil
    object.layout = layout
    object.setRow(Row(layout: layout))
    return recordUnmodelled(name, kind: kind, in: object)
  }

  private func materializeObject(of entity: NSEntityDescription) -> NSManagedObject {
    materializeObject(EntityLayout(entity: entity, objectClass: entity.layout.objectClass, recorder: self))
  }

  private func materializeObject(_ layout: EntityLayout) -> NSManagedObject {
    layouts.append(layout)
    let object = context.materialize(
      FetchedRow(key: 0, store: ObjectReference.noStore, layout: layout, row: Row(layout: layout))
    )
    object.state = []
    return object
  }

  // MARK: - Classes without an entity

  private func materializeUnmodelledObject(of objectClass: NSManagedObject.Type) -> NSManagedObject {
    materializeObject(unmodelledLayout(of: objectClass))
  }

  private func unmodelledLayout(of objectClass: NSManagedObject.Type) -> EntityLayout {
    EntityLayout(entity: UnmodelledEntity.entity, objectClass: objectClass, recorder: self)
  }

  private func recordUnmodelled(_ name: String, kind: SlotKind?, in object: NSManagedObject) -> PropertyNames.Index? {
    if object !== next { isComputed = true }
    names.append(name)
    next = nil
    switch object.layout.places[UnmodelledEntity.name(of: kind)] {
    case .slot(let slot)?: return slot
    case .toMany(let index)?: return -1 - index
    case nil: return nil
    }
  }

  /// Records an access to a property whose name begins with `primitive`, which may be a
  /// property of its own in a class that no model knows.
  ///
  /// - Returns: true when the object is of such a class.
  func recordPrimitive(_ key: String, in object: NSManagedObject) -> Bool {
    guard object.layout.entity === UnmodelledEntity.entity else { return false }
    _ = recordUnmodelled("primitive" + key.prefix(1).uppercased() + key.dropFirst(), kind: .object, in: object)
    return true
  }

  /// The object at the end of a relationship of such a class.
  func destination(_ objectClass: NSManagedObject.Type, of object: NSManagedObject) -> NSManagedObject? {
    guard object.layout.entity === UnmodelledEntity.entity else { return nil }
    let end = materializeUnmodelledObject(of: knownClass(objectClass))
    next = end
    return end
  }

  /// The class of the property that was recorded last: accessors of a class that is private to a file cannot name it.
  private func knownClass(_ objectClass: NSManagedObject.Type) -> NSManagedObject.Type {
    guard objectClass == NSManagedObject.self, names.indices.last.map(typeNames.indices.contains) == true
    else { return objectClass }
    return ClassRegister.subclass(of: objectClass, named: typeNames[names.count - 1]) ?? objectClass
  }
}

/// The entity of a class that no model in use knows: it has an empty property of each kind, and
/// each property of the class is taken for the one of its kind.
private enum UnmodelledEntity {
  static let entity: NSEntityDescription = {
    let entity = NSEntityDescription()
    entity.name = "Unmodelled"
    let types: [(SlotKind, NSAttributeType)] = [
      (.integer, .integer64AttributeType), (.real, .doubleAttributeType), (.text, .stringAttributeType),
      (.data, .binaryDataAttributeType), (.uuid, .UUIDAttributeType), (.decimal, .decimalAttributeType),
      (.object, .transformableAttributeType),
    ]
    let attributes = types.map { NSAttributeDescription(name: name(of: $0), type: $1) }
    let toOne = NSRelationshipDescription(name: name(of: .reference), to: entity, maxCount: 1)
    let toMany = NSRelationshipDescription(name: name(of: nil), to: entity, maxCount: 0)
    entity.properties = attributes + [toOne, toMany]
    model.entities = [entity]
    model.freeze()
    return entity
  }()

  private static let model = NSManagedObjectModel()

  /// - Parameter kind: `nil` for a to-many relationship.
  static func name(of kind: SlotKind?) -> String { kind.map { "\($0)" } ?? "toMany" }
}
