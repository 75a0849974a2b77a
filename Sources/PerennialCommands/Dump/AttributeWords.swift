import CoreData
import Foundation

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
    omit("\(object.entity.name ?? "").\(attribute.name) with values of the class \(type(of: present))")
    return nil
  }
}
