import Foundation

// The description has only what the object has in memory. It fires no fault, caches nothing, and
// does not use the context's queue. So an object can be printed anywhere: in a debugger, in an
// error, and after its context or its store has gone.

extension NSManagedObject {
  /// `Note x-coredata://4C…/Note/p1`, for the middle of a sentence.
  final func describeIdentity() -> String { "\(layout.entity.name ?? "object") \(uriAtHand)" }

  /// `<Note: 0x…> (entity: Note; id: 0x… <x-coredata://4C…/Note/p1>; data: {…})`, with `<fault>`
  /// for values that are not loaded.
  final func describe() -> String {
    let data = isFault ? "<fault>" : rowAtHand.map { values(of: $0).text() } ?? "<fault>"
    return
      "\(ObjectHead.text(self)) (entity: \(layout.entity.name.orNull); id: \(describedID); data: \(data))"
  }

  /// `0x… <x-coredata://4C…/Note/p1>`, as the object's ID prints it.
  final var describedID: String {
    NSManagedObjectID.text(number: reference.number(root: layout.rootNumber), uri: uriAtHand)
  }

  private final var uriAtHand: String {
    if let known = extras?.objectID { return known.uriRepresentation().absoluteString }
    return registry.uri(of: reference, entity: layout.entity)
  }

  /// The properties by name: attributes, relationships and fetched properties.
  private final func values(of row: Row) -> DescriptionNode {
    var entries: [DescriptionNode.Entry] = []
    for slot in layout.slots.indices {
      entries.append(DescriptionNode.Entry(key: layout.slots[slot].name, value: node(of: row, slot: slot)))
    }
    for index in layout.toMany.indices {
      entries.append(DescriptionNode.Entry(key: layout.toMany[index].name, value: destinations(index)))
    }
    for case let property as NSFetchedPropertyDescription in layout.entity.allProperties {
      entries.append(DescriptionNode.Entry(key: property.name, value: found(by: property.name)))
    }
    return .dictionary(entries.sorted { $0.key < $1.key })
  }

  private final func node(of row: Row, slot: Int) -> DescriptionNode {
    if row.failure(slot) != nil { return .word("\"<value that cannot be read>\"") }
    if let destination = extras?.destination(slot) { return .word("\"\(destination.describedID)\"") }
    if let reference = row.reference(slot) { return .word("\"\(registry.text(of: reference))\"") }
    return row.value(slot).node(layout.slots[slot].attribute?.attributeType)
  }

  private final func destinations(_ index: Int) -> DescriptionNode {
    let states = extras?.toMany ?? []
    let state = index < states.count ? states[index] : nil
    // A copy, since asking the set changes it. The destinations of a new object are all that it was given.
    guard var members = state?.members ?? (isStoredSomewhere ? nil : state?.added ?? ObjectSet()) else {
      return fault("relationship", name: layout.toMany[index].name)
    }
    return .list(members.objects) { .word("\"\($0.describedID)\"") }
  }

  private final func found(by name: String) -> DescriptionNode {
    guard let found = extras?.fetchedProperties[name]?.found else { return fault("fetched property", name: name) }
    return .list(found) { .word("\"\($0.describedID)\"") }
  }

  private final func fault(_ kind: String, name: String) -> DescriptionNode {
    .word("\"<\(kind) fault: \(ObjectHead.address(self)) '\(name)'>\"")
  }
}

extension StoredValue {
  /// The value as a description has it.
  ///
  /// - Parameter type: the type of the attribute, where it is known: dates are kept as numbers.
  func node(_ type: NSAttributeType? = nil) -> DescriptionNode {
    switch self {
    case .null: .word("nil")
    case .integer(let value): .word(DescriptionNode.quoted("\(value)"))
    case .real(let value):
      switch type {
      case .dateAttributeType: .value(Date(timeIntervalSinceReferenceDate: value))
      case .floatAttributeType: .word(DescriptionNode.quoted("\(Float(value))"))
      default: .word(DescriptionNode.quoted("\(value)"))
      }
    case .text(let value): .value(value)
    case .data(let value): .value(value)
    case .uuid(let value): .value(value)
    case .decimal(let value): .value(value)
    case .object(let value): .value(value, asksObjects: false)
    case .reference(let value): .word(DescriptionNode.quoted(value.description))
    }
  }
}

extension ObjectReference {
  /// The number that an ID prints instead of an address: equal IDs print the same.
  func number(root: Int32) -> UInt64 {
    let sign: UInt64 = isTemporary ? 1 << 63 : 0
    return sign ^ UInt64(UInt32(bitPattern: root)) << 40 ^ UInt64(key.magnitude)
  }
}

extension NSManagedObjectID {
  static func text(number: UInt64, uri: String) -> String { "0x\(String(number, radix: 16)) <\(uri)>" }

  static func uri(storeIdentifier: String, entityName: String, reference: ObjectReference) -> URL {
    var components = URLComponents()
    components.scheme = scheme
    components.host = storeIdentifier
    let key = reference.isTemporary ? "t\(reference.key.magnitude)" : "p\(reference.key)"
    components.path = "/\(entityName)/\(key)"
    return components.url ?? URL(fileURLWithPath: components.path)
  }
}
