package import CoreData
import ModelFormats

/// The properties by which people name an entity's objects, in seeds and in references.
package struct NaturalKey {
  /// A property of the key.
  package enum Part {
    case attribute(NSAttributeDescription)
    /// A to-one relationship, with the natural key of its destination.
    indirect case relationship(NSRelationshipDescription, NaturalKey)

    package var property: NSPropertyDescription {
      switch self {
      case .attribute(let attribute): attribute
      case .relationship(let relationship, _): relationship
      }
    }
  }

  package let parts: [Part]

  /// The names of the properties, in the order of the key.
  package var names: [String] { parts.map(\.property.name) }

  /// The names in words, such as `suit, value`.
  package var name: String { names.joined(separator: ", ") }

  /// The attributes, in the order of the key; nil where it has a relationship.
  var attributes: [NSAttributeDescription]? {
    let attributes = parts.compactMap { if case .attribute(let attribute) = $0 { attribute } else { nil } }
    return attributes.count == parts.count ? attributes : nil
  }

  /// True when a bare value names an object: a single attribute does.
  package var isSimple: Bool {
    if case .attribute = parts[0] { parts.count == 1 } else { false }
  }

  /// The values of all parts; nil if one is missing, because a missing value does not equal anything.
  func values(_ value: (Part) throws -> KeyValues.Part?) rethrows -> KeyValues? {
    // The usual key needs no list.
    if parts.count == 1 {
      guard let only = try value(parts[0]) else { return nil }
      return KeyValues([only])
    }
    var values: [KeyValues.Part] = []
    values.reserveCapacity(parts.count)
    for part in parts {
      guard let value = try value(part) else { return nil }
      values.append(value)
    }
    return KeyValues(values)
  }

  /// The values that an object has. Called on the queue of its context.
  func values(of object: NSManagedObject) -> KeyValues? {
    values { part in
      switch part {
      case .attribute(let attribute):
        PlannedValue(object.value(forKey: attribute.name), of: attribute.attributeType).map(KeyValues.Part.value)
      case .relationship(let relationship, let key):
        (object.value(forKey: relationship.name) as? NSManagedObject).flatMap(key.values(of:))
          .map(KeyValues.Part.object)
      }
    }
  }

  /// The values of a key without relationships, given in its order as an object has them.
  func values(_ present: [Any?]) -> KeyValues? {
    var rest = present[...]
    return values { part in
      guard case .attribute(let attribute) = part, let value = rest.popFirst() else { return nil }
      return PlannedValue(value, of: attribute.attributeType).map(KeyValues.Part.value)
    }
  }

  /// Returns true for an attribute that may be a part of a natural key: a record can give its
  /// value, unlike that of a derived attribute, and two of its values can be compared for equality.
  static func canIdentify(_ attribute: NSAttributeDescription) -> Bool {
    guard !attribute.isTransient, !(attribute is NSDerivedAttributeDescription) else { return false }
    let storage = AttributeKind(attribute.attributeType).storage
    return storage.isPlain && ![.boolean, .real, .data].contains(storage)
  }
}

extension NSEntityDescription {
  /// The entity and those it inherits from, itself first.
  var lineage: some Sequence<NSEntityDescription> { sequence(first: self, next: \.superentity) }
}
