package import CoreData
import Foundation
import Seeding
import Texts

/// Names objects for people, by their most descriptive attributes.
///
/// The name consists of the first of these that the entity has:
/// 1. an attribute with a customary name, such as `name`, `title` or `label`, or the attributes
///    `firstName` and `lastName`;
/// 2. the natural key, as in seeds: a uniqueness constraint, or the key in the model's user info;
/// 3. the first text attribute that is neither an identifier nor encoded data.
///
/// If none of these attributes has a value, the name consists of the entity and the key, as `Note p12`.
package struct ObjectNames {
  /// The longest name, in Unicode characters.
  package static let longestName = 80

  /// The rule that names the objects of an entity.
  package struct Rule: Hashable, Sendable {
    /// The attributes whose values form the name, and key paths across to-one relationships. Empty if only the
    /// object's key is available.
    package let keyPaths: [String]
  }

  private var rules: [String: Rule] = [:]
  /// By entity, the attributes that distinguish objects with the same name.
  private var details: [String: [String]] = [:]

  /// Makes a namer. It caches the rules of entities.
  package init() {}

  /// The rule that names the objects of an entity.
  package static func rule(for entity: NSEntityDescription) -> Rule {
    let attributes = entity.attributesByName.filter { !$0.value.isTransient }
    func texts(_ names: [String]) -> [String] {
      names.compactMap { wanted in
        attributes.first { name, attribute in
          name.lowercased() == wanted && attribute.attributeType == .stringAttributeType
        }?.key
      }
    }
    if let name = texts(customary).first { return Rule(keyPaths: [name]) }
    let persons = texts(["firstname", "lastname"])
    if !persons.isEmpty { return Rule(keyPaths: persons) }
    if let key = NaturalKeys().key(of: entity) { return Rule(keyPaths: paths(of: key)) }
    let others = attributes.values.filter { attribute in
      attribute.attributeType == .stringAttributeType
        && !technical.contains { attribute.name.lowercased().hasSuffix($0) }
    }
    return Rule(keyPaths: others.map(\.name).sorted().first.map { [$0] } ?? [])
  }

  private static let customary = [
    "name", "title", "label", "displayname", "fullname", "caption", "subject", "headline", "heading",
    "summary", "nickname", "username", "filename",
  ]
  private static let technical = ["id", "identifier", "uuid", "hash", "token", "url", "path", "json", "key"]

  private static func paths(of key: NaturalKey) -> [String] {
    key.parts.flatMap { part in
      switch part {
      case .attribute(let attribute): [attribute.name]
      case .relationship(let relationship, let inner):
        paths(of: inner).map { "\(relationship.name).\($0)" }
      }
    }
  }

  /// The name of an object. Called on the queue of its context.
  package mutating func name(of object: NSManagedObject) -> String {
    let rule = rule(of: object.entity)
    return Self.name(rule.keyPaths.map { Self.value(at: $0, of: object) }) ?? Self.fallback(object.objectID)
  }

  /// A value that distinguishes objects with the same name; `nil` if the object does not have a short one.
  /// Called on the queue of its context.
  package mutating func detail(of object: NSManagedObject) -> String? {
    let entity = object.entity.name ?? ""
    let attributes = details[entity] ?? Self.details(of: object.entity, rule: rule(of: object.entity))
    details[entity] = attributes
    for name in attributes {
      guard let words = Self.words(object.value(forKey: name)), !words.isEmpty,
        words.utf8.count <= Self.longestDetail
      else { continue }
      return VisibleText(line: words, atMost: Self.longestDetail).description
    }
    return nil
  }

  private static let longestDetail = 40
  private static let mostDetails = 8

  /// Short attributes that are not part of the name: those of the natural key, texts, dates, and then numbers.
  private static func details(of entity: NSEntityDescription, rule: Rule) -> [String] {
    let key = NaturalKeys().key(of: entity).map(paths) ?? []
    func place(_ attribute: NSAttributeDescription) -> Int? {
      if attribute.isTransient || rule.keyPaths.contains(attribute.name) { return nil }
      if key.contains(attribute.name) { return 0 }
      switch attribute.attributeType {
      case .stringAttributeType:
        return technical.contains { attribute.name.lowercased().hasSuffix($0) } ? 4 : 1
      case .dateAttributeType: return 2
      default: return attribute.isNumeric ? 3 : nil
      }
    }
    let found = entity.attributesByName.values.compactMap { attribute in
      place(attribute).map { (place: $0, name: attribute.name) }
    }
    return found.sorted { ($0.place, $0.name) < ($1.place, $1.name) }.prefix(mostDetails).map(\.name)
  }

  /// The name that consists of these values, in the order of a rule's key paths; `nil` if there are no values.
  ///
  /// - Parameter values: attribute values, values of a dictionary fetch, or the values in a deleted object's tombstone.
  package static func name(_ values: [Any?]) -> String? {
    let words = values.compactMap(words).filter { !$0.isEmpty }
    return words.isEmpty
      ? nil : VisibleText(line: words.joined(separator: " "), atMost: longestName).description
  }

  /// The name of an object if only its ID is known, such as `Note p12`.
  package static func fallback(_ id: NSManagedObjectID) -> String {
    let key = id.isTemporaryID ? "not saved" : id.uriRepresentation().lastPathComponent
    return VisibleText(line: "\(id.entity.name ?? "object") \(key)", atMost: longestName).description
  }

  /// The rule for an entity, from the cache if it is there.
  package mutating func rule(of entity: NSEntityDescription) -> Rule {
    let name = entity.name ?? ""
    if let known = rules[name] { return known }
    let rule = Self.rule(for: entity)
    rules[name] = rule
    return rule
  }

  /// Fetches the names of objects, with one query per entity and thousand objects. Objects that the store does
  /// not have are left out. Called on the queue of the context.
  package mutating func names(of ids: some Sequence<NSManagedObjectID>, in context: NSManagedObjectContext)
    throws -> [NSManagedObjectID: String]
  {
    var names: [NSManagedObjectID: String] = [:]
    let groups = Dictionary(grouping: ids.filter { !$0.isTemporaryID }) { $0.entity.name ?? "" }
    for (entity, ids) in groups.sorted(by: { $0.key < $1.key }) {
      for start in stride(from: 0, to: ids.count, by: 1000) {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "SELF IN %@", Array(ids[start...].prefix(1000)))
        request.includesSubentities = false
        let known = ids[0].entity.propertiesByName
        let owners = rule(of: ids[0].entity).keyPaths.filter { known[$0] == nil }
        request.relationshipKeyPathsForPrefetching = owners.map { path in
          path.split(separator: ".").dropLast().joined(separator: ".")
        }
        for object in try context.fetch(request) { names[object.objectID] = name(of: object) }
      }
    }
    return names
  }

  private static func value(at keyPath: String, of object: NSManagedObject) -> Any? {
    // A model may be invalid: a property's name may contain a dot.
    if object.entity.propertiesByName[keyPath] != nil { return object.value(forKey: keyPath) }
    guard let dot = keyPath.firstIndex(of: ".") else { return nil }
    let owner = String(keyPath[..<dot])
    guard object.entity.relationshipsByName[owner] != nil,
      let destination = object.value(forKey: owner) as? NSManagedObject
    else { return nil }
    return value(at: String(keyPath[keyPath.index(after: dot)...]), of: destination)
  }

  private static func words(_ value: Any?) -> String? {
    switch value {
    case nil, is NSNull: nil
    case let text as String: text.trimmingCharacters(in: .whitespacesAndNewlines)
    case let date as Date: ShownDate.text(date)
    case let data as Data: "\(data.count) bytes"
    case let value?: "\(value)"
    }
  }
}

/// An object of a store, and a name for people.
package struct NamedObject: Hashable, Sendable {
  /// The object's ID.
  package let id: NSManagedObjectID
  /// The name, as `ObjectNames` gives it.
  package let name: String

  /// The name of the object's entity.
  package var entity: String { id.entity.name ?? "" }

  /// Makes a value from an ID and a name.
  package init(id: NSManagedObjectID, name: String) {
    self.id = id
    self.name = name
  }
}
