import CoreData
import Foundation
import Seeding

/// The attributes of an object, as its record has them.
enum AttributeWords {
  /// - Parameter omit: Called with what no seed can say, in words.
  static func fields(of object: NSManagedObject, omit: (String) -> Void) -> [String: ResultValue] {
    var fields: [String: ResultValue] = [:]
    for (name, attribute) in object.entity.attributesByName
    where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
      if let value = value(of: attribute, object, omit) { fields[name] = value }
    }
    return fields
  }

  /// Nothing that is no default is not written; nothing in place of a default is.
  private static func value(
    of attribute: NSAttributeDescription,
    _ object: NSManagedObject,
    _ omit: (String) -> Void
  ) -> ResultValue? {
    guard let present = object.value(forKey: attribute.name) else {
      return attribute.defaultValue == nil ? nil : ResultValue.none
    }
    if let value = SeedWords.value(present, of: attribute) { return value }
    omit("\(object.entity.name ?? "").\(attribute.name) with \(words(present))")
    return nil
  }

  private static func words(_ value: Any) -> String {
    guard let date = value as? Date else { return "values of the class \(type(of: value))" }
    return "the date \(ISO8601Date.words(date))"
  }
}
