package import CoreData
import Foundation

/// The texts of predicates that filter by the value of an object, for a click on that value.
package struct ValueFilter: Hashable, Sendable {
  /// Selects the objects with the same value.
  package let only: String
  /// Selects all other objects, including those without a value.
  package let without: String

  /// - Returns: `nil` if the format language cannot spell the value, or the value is very long.
  package init?(value: Any?, attribute: NSAttributeDescription) {
    let key = PredicateText.key(attribute.name)
    if attribute.isTransient { return nil }
    guard let value, !(value is NSNull) else {
      self.init(only: "\(key) == NULL", without: "\(key) != NULL")
      return
    }
    let spelled: String?
    switch attribute.attributeType {
    case .booleanAttributeType: spelled = (value as? NSNumber).map { $0.boolValue ? "YES" : "NO" }
    case .binaryDataAttributeType, .transformableAttributeType, .compositeAttributeType: spelled = nil
    default: spelled = PredicateText.value(value)
    }
    guard let spelled, spelled.utf8.count <= PropertyFilter.longestValue else { return nil }
    self.init(only: "\(key) == \(spelled)", without: "(\(key) != \(spelled) OR \(key) == NULL)")
  }

  /// The filters for the destination of a to-one relationship; `nil` if no variable can name the destination.
  package init?(destination: NSManagedObjectID?, relationship: String) {
    let key = PredicateText.key(relationship)
    guard let destination else {
      self.init(only: "\(key) == NULL", without: "\(key) != NULL")
      return
    }
    guard let variable = ObjectVariable.text(of: destination) else { return nil }
    self.init(only: "\(key) == \(variable)", without: "(\(key) != \(variable) OR \(key) == NULL)")
  }

  private init(only: String, without: String) {
    self.only = only
    self.without = without
  }
}

extension StoreObjects {
  /// The filters for the value of an object's property.
  ///
  /// - Returns: `nil` if a predicate cannot spell the value.
  /// - Throws: `noSuchObject`, `unknownName`, or the store's error.
  package func filter(by property: String, entity: String, key: Int64, within limit: Duration) async throws
    -> ValueFilter?
  {
    let explored = explored
    return try await explored.read(within: limit) { context in
      let object = try explored.object(try explored.entity(entity), key: key, in: context)
      if let attribute = object.entity.attributesByName[property] {
        return ValueFilter(value: object.value(forKey: property), attribute: attribute)
      }
      let relationship = try explored.relationship(property, of: object.entity)
      if relationship.isToMany { return nil }
      return ValueFilter(
        destination: (object.value(forKey: property) as? NSManagedObject)?.objectID,
        relationship: property
      )
    }
  }
}
