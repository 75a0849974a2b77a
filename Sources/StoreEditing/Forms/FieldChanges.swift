import CoreData
import Foundation
import StoreExploration

/// The new attribute values from a form. All of them are parsed and validated before the first one is set.
struct FieldChanges {
  private(set) var values: [(attribute: String, value: Any?)] = []
  private var problems: [FieldProblem] = []

  /// - Parameters:
  ///   - inputs: the input for each field. Fields without input keep their values.
  ///   - checksAll: true if the unchanged values are also validated.
  /// - Throws: `WrongFields`.
  init(_ inputs: [FieldPath: FieldInput], of object: NSManagedObject, checksAll: Bool = false) throws {
    let fields = EntityField.all(of: object.entity)
    for path in inputs.keys where !fields.contains(where: { $0.path == path }) {
      problems.append(FieldProblem(path: path, message: "\(object.entity.name ?? "The entity") has no \(path)."))
    }
    var wholes: [String: Any?] = [:]
    for field in fields {
      guard let input = inputs[field.path] else { continue }
      let name = field.attribute.name
      let whole = wholes[name] ?? object.value(forKey: name)
      read(input, field: field, in: whole) { wholes[name] = .some(field.replacing(whole, with: $0)) }
    }
    var checked: Set<String> = []
    for field in fields where checked.insert(field.attribute.name).inserted {
      let name = field.attribute.name
      if let value = wholes[name] {
        values.append((name, check(value, field: field, fields: fields, of: object)))
      } else if checksAll, case .editable = field.access(.none) {
        _ = check(object.value(forKey: name), field: field, fields: fields, of: object)
      }
    }
    if !problems.isEmpty { throw WrongFields(problems: problems) }
  }

  func apply(to object: NSManagedObject) {
    for (attribute, value) in values { object.setValue(value, forKey: attribute) }
  }

  // MARK: - Reading

  /// - Parameter set: called with the new value, if the field is changed.
  private mutating func read(
    _ input: FieldInput,
    field: EntityField,
    in whole: Any?,
    _ set: (Any?) -> Void
  ) {
    let shown = ShownValue(value: field.value(in: whole), attribute: field.leaf)
    let text = FieldText.unified(input.text)
    let isNone = input.isNone || text.isEmpty && !(input.isEmptyText && field.isText)
    if let stamp = input.stamp {
      // The person did not touch the field.
      if !input.isNone, stamp == FieldText.stamp(text, isNone: isNone) { return }
      if stamp != field.stamp(of: shown) { return refuse(field, message: Self.words(movedTo: shown)) }
    }
    switch field.access(shown) {
    case .fixed(let reason): refuse(field, message: reason)
    case .clearable(let reason): if isNone { set(nil) } else { refuse(field, message: reason) }
    case .editable:
      if isNone { return set(nil) }
      do {
        let value = try FieldText(attribute: field.leaf).value(of: text)
        set(value)
      } catch {
        refuse(field, message: error.message)
      }
    }
  }

  private static func words(movedTo value: ShownValue) -> String {
    let words = value == .none ? "none" : "“\(value.plainText)”"
    return "The value was changed to \(words) since the form was opened; send the form again to replace it."
  }

  private mutating func refuse(_ field: EntityField, message: String) {
    problems.append(FieldProblem(path: field.path, message: message))
  }

  // MARK: - Checking

  /// Validates a value with the model's rules.
  ///
  /// - Returns: the value, or the replacement from the object's class.
  private mutating func check(
    _ value: Any?,
    field: EntityField,
    fields: [EntityField],
    of object: NSManagedObject
  ) -> Any? {
    let given = value.map { $0 as AnyObject }
    var checked = given
    do {
      try object.validateValue(&checked, forKey: field.attribute.name)
      return checked === given ? value : checked
    } catch {
      for failure in ValidationFailures.single(of: error) {
        let key = failure.userInfo[NSValidationKeyErrorKey] as? String
        let wrong = fields.first { $0.path.description == key } ?? field
        refuse(
          wrong,
          message: ValidationFailures.words(failure, property: wrong.path.description, attribute: wrong.leaf)
        )
      }
      return value
    }
  }
}

extension EntityField {
  var isText: Bool { leaf.attributeType == .stringAttributeType }

  func stamp(of value: ShownValue) -> String {
    switch value {
    case .data, .described, .fields:
      var hasher = Hasher()
      hasher.combine(value)
      return String(UInt(bitPattern: hasher.finalize()), radix: 16)
    default: return FieldText.stamp(FieldText.text(value), isNone: value == .none)
    }
  }
}
