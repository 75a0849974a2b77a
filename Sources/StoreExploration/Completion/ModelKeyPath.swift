import CoreData
import Seeding
import Texts

/// The end of a key path in a model, and the first key that is wrong.
struct ModelKeyPath {
  /// The destination of a key path.
  enum End {
    case object(NSEntityDescription)
    case objects(NSEntityDescription)
    case attribute(NSAttributeDescription, isMany: Bool)
    case composite(NSCompositeAttributeDescription, isMany: Bool)
    /// The result of `@count`, `@sum` or `@avg`.
    case number
    /// Not known from the model: a fetched property, or the result of an operator.
    case unknown

    var isMany: Bool {
      switch self {
      case .objects: true
      case .attribute(_, let isMany), .composite(_, let isMany): isMany
      case .object, .number, .unknown: false
      }
    }
  }

  /// A key that the model does not have at its position.
  struct Fault {
    /// The position of the key in the path.
    let index: Int
    let problem: String
    let remedy: String
  }

  private(set) var end: End
  private(set) var fault: Fault?

  /// The keys that return the object itself.
  static let itself: Set<String> = ["self", "SELF", "objectID"]

  /// - Parameter start: the type that has the first key.
  init(_ keys: [String], from start: End) {
    end = start
    for (index, key) in keys.enumerated() where !Self.itself.contains(key) {
      if key.hasPrefix("@") {
        if follow(operation: key, at: index) { return }
      } else if !follow(key, at: index) {
        return
      }
    }
  }

  /// - Returns: true if the path ends here or is wrong.
  private mutating func follow(operation: String, at index: Int) -> Bool {
    if case .unknown = end { return true }
    guard end.isMany else {
      fault = Fault(
        index: index,
        problem: "\(operation) needs a relationship to many objects before it",
        remedy: "leave it out, or put a relationship to many in front of it"
      )
      end = .unknown
      return true
    }
    switch operation {
    case "@count", "@sum", "@avg":
      end = .number
      return true
    case "@min", "@max":
      // The result is the value of one of the objects.
      if case .objects(let entity) = end { end = .object(entity) }
      return false
    default:
      end = .unknown
      return true
    }
  }

  /// - Returns: false if the path cannot be followed any further.
  private mutating func follow(_ key: String, at index: Int) -> Bool {
    switch end {
    case .unknown: return false
    case .number:
      reject(key, at: index, problem: "a number has no keys")
      return false
    case .attribute(let attribute, _):
      if ValueKeys.names(of: attribute.attributeType).contains(key) {
        end = .unknown
        return false
      }
      reject(key, at: index, problem: "\(attribute.name) is an attribute, which has no keys")
      return false
    case .composite(let composite, let isMany):
      guard let element = composite.elements.first(where: { $0.name == key }) else {
        let names = composite.elements.map(\.name).sorted()
        fault = Fault(
          index: index,
          problem: "\(composite.name) has no element \"\(key)\"",
          remedy: Suggestion.remedy("key", word: key, among: names, of: "its elements are")
        )
        end = .unknown
        return false
      }
      end = Self.end(element, isMany: isMany)
      return true
    case .object(let entity): return follow(key, of: entity, isMany: false, at: index)
    case .objects(let entity): return follow(key, of: entity, isMany: true, at: index)
    }
  }

  private mutating func follow(
    _ key: String,
    of entity: NSEntityDescription,
    isMany: Bool,
    at index: Int
  ) -> Bool {
    switch entity.propertiesByName[key] {
    case let attribute as NSAttributeDescription: end = Self.end(attribute, isMany: isMany)
    case let relationship as NSRelationshipDescription:
      guard let destination = relationship.destinationEntity else {
        end = .unknown
        return false
      }
      end = isMany || relationship.isToMany ? .objects(destination) : .object(destination)
    case nil where key == "entity": end = .unknown
    case nil:
      fault = Fault(
        index: index,
        problem: "\(entity.name ?? "the entity") has no property \"\(key)\"",
        remedy: Suggestion.remedy(
          "key",
          word: key,
          among: entity.propertiesByName.keys.sorted(),
          of: "its properties are"
        )
      )
      end = .unknown
      return false
    default: end = .unknown
    }
    return true
  }

  private mutating func reject(_ key: String, at index: Int, problem: String) {
    fault = Fault(index: index, problem: problem, remedy: "remove \".\(key)\"")
    end = .unknown
  }

  private static func end(_ attribute: NSAttributeDescription, isMany: Bool) -> End {
    if let composite = attribute as? NSCompositeAttributeDescription { return .composite(composite, isMany: isMany) }
    return .attribute(attribute, isMany: isMany)
  }
}
