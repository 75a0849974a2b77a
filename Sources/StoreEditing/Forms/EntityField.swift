import CoreData
import Foundation
import ModelFormats
import StoreExploration

/// A field in the forms of an entity.
struct EntityField {
  let path: FieldPath
  /// The attribute, or the element of a composite attribute, that has the value.
  let leaf: NSAttributeDescription
  /// The attribute that contains the value.
  let attribute: NSAttributeDescription

  /// The fields of an entity, in the order of a grid's columns. A composite attribute has a field for each element.
  static func all(of entity: NSEntityDescription) -> [EntityField] {
    StoreGrid.columns(of: entity).compactMap { entity.attributesByName[$0.name] }.flatMap { attribute in
      leaves(attribute, path: FieldPath(attribute: attribute.name)).map {
        EntityField(path: $0.path, leaf: $0.leaf, attribute: attribute)
      }
    }
  }

  private static func leaves(_ attribute: NSAttributeDescription, path: FieldPath) -> [(
    path: FieldPath, leaf: NSAttributeDescription
  )] {
    guard let composite = attribute as? NSCompositeAttributeDescription, !composite.elements.isEmpty else {
      return [(path, attribute)]
    }
    return composite.elements.flatMap { leaves($0, path: path.appending($0.name)) }
  }

  /// The field's value within the attribute's value.
  func value(in whole: Any?) -> Any? {
    path.elements.reduce(whole) { value, element in (value as? [String: Any])?[element] }
  }

  /// The attribute's value with a new value for the field; `nil` if no element has a value any more.
  func replacing(_ whole: Any?, with value: Any?) -> Any? {
    Self.replace(whole, path: path.elements[...], value: value)
  }

  private static func replace(_ whole: Any?, path: ArraySlice<String>, value: Any?) -> Any? {
    guard let element = path.first else { return value }
    var values = whole as? [String: Any] ?? [:]
    values[element] = replace(values[element], path: path.dropFirst(), value: value)
    return values.isEmpty ? nil : values
  }

  /// Decides how a form can change the value.
  func access(_ value: ShownValue) -> EditingField.Access {
    if attribute is NSDerivedAttributeDescription { return .fixed("The store computes the value.") }
    if attribute.isTransient { return .fixed("The value is transient: no store has it.") }
    switch AttributeKind(leaf.attributeType).storage {
    case .data: return clearable("Bytes cannot be edited as a text.")
    case .text:
      guard case .text(let text) = value else { return .editable(.text) }
      if text.utf8.count > FieldText.longest { return clearable("The text is too long for a form.") }
      if text.utf8.contains(0) { return clearable("A form cannot have the character NUL, which the text has.") }
      return .editable(.text)
    case .integer, .real, .decimal: return .editable(.number)
    case .boolean: return .editable(.boolean)
    case .date: return .editable(.date)
    case .uuid, .uri: return .editable(.line)
    case .transformable, .composite, .none: return clearable("Only the program that the value belongs to can write it.")
    }
  }

  private func clearable(_ reason: String) -> EditingField.Access {
    leaf.isOptional ? .clearable(reason) : .fixed(reason)
  }

  var rules: [String] { (leaf.isOptional ? [] : ["required"]) + RuleWords.rules(of: leaf) }
}
