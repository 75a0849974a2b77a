import CoreData
import Foundation
import Seeding
import Texts

/// Chooses the key that matches the objects of each entity.
struct MatchingKeys: Sendable {
  private(set) var matchings: [String: ObjectMatching] = [:]

  /// - Parameters:
  ///   - chosen: names of properties and key paths, by the name of the entity. An empty list means the primary key.
  ///   - areOfOneOrigin: true if one store is a copy of the other, so that an object has the same primary key in both.
  /// - Throws: an `ExplorationFailure` if an entity does not have a chosen key.
  init(_ model: NSManagedObjectModel, chosen: [String: [String]], areOfOneOrigin: Bool) throws {
    for name in chosen.keys.sorted() where model.entitiesByName[name] == nil {
      let names = model.entitiesByName.keys.sorted()
      throw ExplorationFailure(
        code: .unknownName,
        problem: "the model has no entity \"\(name)\", for which a key was chosen",
        remedy: Suggestion.remedy("name", word: name, among: names, of: "its entities are")
      )
    }
    for entity in model.entities {
      guard let name = entity.name else { continue }
      matchings[name] = try Self.matching(entity, chosen: chosen, areOfOneOrigin: areOfOneOrigin)
    }
  }

  private static func matching(
    _ entity: NSEntityDescription,
    chosen: [String: [String]],
    areOfOneOrigin: Bool
  ) throws -> ObjectMatching {
    func matching(_ keyPaths: [String], reason: ObjectMatching.Reason) -> ObjectMatching {
      ObjectMatching(entity: entity.name ?? "", keyPaths: keyPaths, reason: reason)
    }
    let lineage = sequence(first: entity, next: \.superentity)
    if let keyPaths = lineage.lazy.compactMap({ chosen[$0.name ?? ""] }).first {
      for keyPath in keyPaths { try check(keyPath, entity: entity) }
      return matching(keyPaths, reason: keyPaths.isEmpty ? .primaryKey : .chosen)
    }
    let natural = NaturalKeys().key(of: entity)
    // Two different objects may have the same name.
    let isName = natural.map { $0.names == ["name"] || $0.names == ["title"] } ?? false
    if let natural, isSaidByModel(entity, names: natural.names) { return matching(paths(of: natural), reason: .model) }
    if let natural, !isName { return matching(paths(of: natural), reason: .customaryName) }
    if let uuid = uuid(of: entity) { return matching([uuid], reason: .uuid) }
    if areOfOneOrigin { return matching([], reason: .primaryKey) }
    if let natural { return matching(paths(of: natural), reason: .customaryName) }
    return matching([], reason: .primaryKey)
  }

  private static func check(_ keyPath: String, entity: NSEntityDescription) throws {
    let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let path = ModelKeyPath(keys, from: .object(entity))
    if let fault = path.fault {
      throw ExplorationFailure(code: .unknownName, problem: fault.problem, remedy: fault.remedy)
    }
    if case .attribute(let attribute, isMany: false) = path.end, !attribute.isTransient { return }
    throw ExplorationFailure(
      code: .unsuitableProperty,
      problem: "\(entity.name ?? "").\(keyPath) cannot be part of a key",
      remedy: "choose attributes, also of the destinations of to-one relationships"
    )
  }

  /// Returns true if the key comes from a uniqueness constraint or from the model's user info. Any other
  /// natural key is a single attribute with a customary name.
  private static func isSaidByModel(_ entity: NSEntityDescription, names: [String]) -> Bool {
    let customary = ["identifier", "id", "remoteID", "uuid", "name", "title"]
    return names.count > 1 || !customary.contains(names[0]) || hasConstraint(entity, names: names)
  }

  private static func hasConstraint(_ entity: NSEntityDescription, names: [String]) -> Bool {
    sequence(first: entity, next: \.superentity).contains { entity in
      entity.uniquenessConstraints.contains { constraint in
        constraint.map { ($0 as? NSPropertyDescription)?.name ?? $0 as? String ?? "" } == names
      }
    }
  }

  private static func paths(of key: NaturalKey) -> [String] {
    key.parts.flatMap { part in
      switch part {
      case .attribute(let attribute): [attribute.name]
      case .relationship(let relationship, let inner): paths(of: inner).map { "\(relationship.name).\($0)" }
      }
    }
  }

  private static func uuid(of entity: NSEntityDescription) -> String? {
    let names = entity.attributesByName.values.filter {
      $0.attributeType == .UUIDAttributeType && !$0.isTransient
    }
    .map(\.name).sorted()
    return names.first { ["id", "uuid", "identifier"].contains($0.lowercased()) }
      ?? (names.count == 1 ? names[0] : nil)
  }
}
