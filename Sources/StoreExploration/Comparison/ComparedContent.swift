import CoreData
import Foundation
import Seeding

/// A digest of 128 bits: the results of two hashers that start with different values.
struct ComparisonDigest: Hashable, Comparable, Sendable {
  let high: UInt64
  let low: UInt64

  static func < (one: Self, other: Self) -> Bool { (one.high, one.low) < (other.high, other.low) }
}

/// Combines values one after the other into a digest. Within a process, the same values give the same digest.
struct ComparisonHasher {
  private var first = Hasher()
  private var second = Hasher()

  init() { second.combine(0x9E37) }

  /// Adds a value. Equal values have equal digests.
  ///
  /// Two values that Foundation regards as different may also have equal digests, if their printed texts are equal.
  mutating func combine(_ value: Any?) {
    switch value {
    case nil, is NSNull: tag(0)
    case let text as String: texts(1, text: text)
    case let number as NSDecimalNumber: texts(2, text: "\(number.decimalValue)")
    case let number as NSNumber:
      let type = String(cString: number.objCType)
      if type == "d" || type == "f" {
        tag(3)
        add(number.doubleValue)
      } else {
        tag(4)
        add(number.int64Value)
      }
    case let date as Date:
      tag(5)
      add(date.timeIntervalSinceReferenceDate)
    case let data as Data:
      tag(6)
      add(data.count)
      data.withUnsafeBytes { bytes in
        first.combine(bytes: bytes)
        second.combine(bytes: bytes)
      }
    case let uuid as UUID:
      tag(7)
      add(uuid)
    case let url as URL: texts(8, text: url.absoluteString)
    case let values as [String: Any]:
      tag(9)
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        combine(key)
        combine(value)
      }
    case let value?: texts(10, text: "\(value)")
    }
  }

  mutating func combine(_ digest: ComparisonDigest) {
    add(digest.high)
    add(digest.low)
  }

  func finalize() -> ComparisonDigest {
    ComparisonDigest(
      high: UInt64(bitPattern: Int64(first.finalize())),
      low: UInt64(bitPattern: Int64(second.finalize()))
    )
  }

  private mutating func tag(_ tag: UInt8) { add(tag) }

  /// Adds the bytes of the text: texts with different spellings have different digests, even if they look alike.
  private mutating func texts(_ kind: UInt8, text: String) {
    tag(kind)
    add(text.utf8.count)
    var text = text
    text.withUTF8 { bytes in
      first.combine(bytes: UnsafeRawBufferPointer(bytes))
      second.combine(bytes: UnsafeRawBufferPointer(bytes))
    }
  }

  private mutating func add(_ value: some Hashable) {
    first.combine(value)
    second.combine(value)
  }
}

/// The properties of an entity that a comparison reads, and the key that finds an object in the other store.
/// Used on the queue of the objects' context.
struct ComparedContent {
  let matching: ObjectMatching
  let attributes: [NSAttributeDescription]
  /// The relationships that are compared. If two relationships are inverses, one side that has all the
  /// information suffices.
  let relationships: [NSRelationshipDescription]
  private let matchings: [String: ObjectMatching]

  init(entity: NSEntityDescription, keys: MatchingKeys) {
    matchings = keys.matchings
    matching =
      keys.matchings[entity.name ?? ""]
      ?? ObjectMatching(entity: entity.name ?? "", keyPaths: [], reason: .primaryKey)
    attributes = entity.attributesByName.values.filter { attribute in
      !attribute.isTransient && !(attribute is NSDerivedAttributeDescription)
    }
    .sorted { $0.name < $1.name }
    relationships = entity.relationshipsByName.values.filter(Self.isTold).sorted { $0.name < $1.name }
  }

  /// Returns true unless the inverse is compared instead. Compared are the to-one side of a one-to-many
  /// relationship, one side of a one-to-one or many-to-many relationship, and every ordered side.
  private static func isTold(_ relationship: NSRelationshipDescription) -> Bool {
    if relationship.isTransient { return false }
    guard let inverse = relationship.inverseRelationship, !inverse.isTransient else { return true }
    if relationship.isOrdered { return true }
    switch (relationship.isToMany, inverse.isToMany) {
    case (false, true): return true
    case (true, false): return false
    case (false, false), (true, true):
      let (own, other) = (path(relationship), path(inverse))
      return own <= other
    }
  }

  private static func path(_ relationship: NSRelationshipDescription) -> String {
    "\(relationship.entity.name ?? "").\(relationship.name)"
  }

  /// The relationships to prefetch, for content and keys.
  var prefetched: [String] {
    let own = relationships.map(\.name)
    let keys = matching.keyPaths.filter { $0.contains(".") }.map(Self.owner)
    let others = relationships.flatMap { relationship in
      (matchings[relationship.destinationEntity?.name ?? ""]?.keyPaths ?? []).filter { $0.contains(".") }
        .map { "\(relationship.name).\(Self.owner($0))" }
    }
    return own + keys + others
  }

  private static func owner(_ keyPath: String) -> String {
    keyPath.split(separator: ".").dropLast().joined(separator: ".")
  }

  /// The digest that finds the object in the other store.
  func key(of object: NSManagedObject) -> ComparisonDigest { Self.key(of: object, matching: matching) }

  private static func key(of object: NSManagedObject, matching: ObjectMatching?) -> ComparisonDigest {
    var hasher = ComparisonHasher()
    if let matching, !matching.keyPaths.isEmpty {
      for keyPath in matching.keyPaths { hasher.combine(value(at: keyPath, of: object)) }
    } else {
      hasher.combine(NSNumber(value: object.objectID.key))
    }
    return hasher.finalize()
  }

  private static func value(at keyPath: String, of object: NSManagedObject) -> Any? {
    guard keyPath.contains(".") else { return object.value(forKey: keyPath) }
    var current: Any? = object
    for key in keyPath.split(separator: ".") {
      guard let object = current as? NSManagedObject else { return nil }
      current = object.value(forKey: String(key))
    }
    return current
  }

  /// The digest of all compared properties.
  func digest(of object: NSManagedObject) -> UInt64 {
    var hasher = ComparisonHasher()
    for attribute in attributes { hasher.combine(object.value(forKey: attribute.name)) }
    for relationship in relationships { hasher.combine(digest(of: relationship, object: object)) }
    return hasher.finalize().low
  }

  private func digest(of relationship: NSRelationshipDescription, object: NSManagedObject)
    -> ComparisonDigest
  {
    var hasher = ComparisonHasher()
    let keys = relationship.destinations(of: object).map { destination in
      Self.key(of: destination, matching: matchings[destination.entity.name ?? ""])
    }
    for key in relationship.isOrdered ? keys : keys.sorted() { hasher.combine(key) }
    return hasher.finalize()
  }

  /// The digest and the text of each property, by the property's name.
  func values(of object: NSManagedObject, namer: inout ObjectNames) -> [String: ComparedValue] {
    var values: [String: ComparedValue] = [:]
    for attribute in attributes {
      let value = object.value(forKey: attribute.name)
      var hasher = ComparisonHasher()
      hasher.combine(value)
      values[attribute.name] = ComparedValue(
        digest: hasher.finalize(),
        words: ComparedValue.words(value, of: attribute)
      )
    }
    for relationship in relationships {
      values[relationship.name] = ComparedValue(
        digest: digest(of: relationship, object: object),
        words: ComparedValue.words(relationship.destinations(of: object), of: relationship, namer: &namer)
      )
    }
    return values
  }
}
