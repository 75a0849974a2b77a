package import CoreData
import Foundation

/// The annotations for seeds in the user info of a model: Groot's and Sync's, as their
/// documentation has them, and one of this library.
package enum SeedAnnotations {
  private static let keyPaths = ["JSONKeyPath", "sync.remoteKey", "hyper.remoteKey"]
  private static let transformers = ["JSONTransformerName", "sync.valueTransformer"]
  private static let primaryKeys = ["sync.isPrimaryKey", "hyper.isPrimaryKey"]
  private static let identity = "identityAttributes"
  private static let recordTransformer = "JSONDictionaryTransformerName"
  private static let entityMapper = "entityMapperName"
  private static let dates = "seed.dates"
  private static let createOnly = ["seed.createOnly"]

  /// Returns true when anything in a model has records read otherwise than by the model's own names and values.
  package static func areIn(_ model: NSManagedObjectModel) -> Bool {
    model.entities.contains { entity in
      recordTransformer(of: entity) != nil || entityMapper(of: entity) != nil
        || entity.properties.contains { property in
          keyPath(of: property) != nil
            || (property as? NSAttributeDescription).map { transformer(of: $0) ?? dates(of: $0) } ?? nil
              != nil
        }
    }
  }

  /// The key under which records have a property, or the path of keys, with dots.
  static func keyPath(of property: NSPropertyDescription) -> String? { text(keyPaths, userInfo: property.userInfo) }

  /// The name of the value transformer that creates an attribute's value from the record's value.
  package static func transformer(of attribute: NSAttributeDescription) -> String? {
    text(transformers, userInfo: attribute.userInfo)
  }

  static func isPrimaryKey(_ attribute: NSAttributeDescription) -> Bool {
    isTrue(primaryKeys, userInfo: attribute.userInfo)
  }

  /// Returns true when records give the property to new objects alone, and never change what an object has.
  static func isCreateOnly(_ property: NSPropertyDescription) -> Bool {
    isTrue(createOnly, userInfo: property.userInfo)
  }

  private static func isTrue(_ keys: [String], userInfo: [AnyHashable: Any]?) -> Bool {
    guard let userInfo, !userInfo.isEmpty else { return false }
    return keys.contains { key in
      switch userInfo[key] {
      case let text as String: ["true", "yes", "1"].contains(text.lowercased())
      case let number as NSNumber: number.boolValue
      default: false
      }
    }
  }

  /// The names in `identityAttributes` of the entity and its superentities, whose names come first:
  /// as in Groot, subentities extend the identity of their superentity. Nil without such an entry.
  package static func identityAttributes(of entity: NSEntityDescription) -> [String]? {
    let lists = entity.lineage.compactMap { $0.userInfo?[identity] as? String }
    if lists.isEmpty { return nil }
    var names: [String] = []
    for name in lists.reversed().flatMap({ $0.split(separator: ",") }) {
      let name = name.trimmingCharacters(in: .whitespaces)
      if !name.isEmpty, !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The name of the value transformer that transforms a whole record before it is read.
  package static func recordTransformer(of entity: NSEntityDescription) -> String? {
    entity.lineage.lazy.compactMap { text([recordTransformer], userInfo: $0.userInfo) }.first
  }

  /// The name of the value transformer that chooses a record's subentity.
  package static func entityMapper(of entity: NSEntityDescription) -> String? {
    entity.lineage.lazy.compactMap { text([entityMapper], userInfo: $0.userInfo) }.first
  }

  /// The date strategy of an attribute, as the name of a `DateStrategy`.
  package static func dates(of attribute: NSAttributeDescription) -> String? {
    text([dates], userInfo: attribute.userInfo)
  }

  private static func text(_ keys: [String], userInfo: [AnyHashable: Any]?) -> String? {
    guard let userInfo, !userInfo.isEmpty else { return nil }
    return keys.lazy.compactMap { userInfo[$0] as? String }.first { !$0.isEmpty }
  }
}
