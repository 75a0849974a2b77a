package import StoreExploration

/// The staged values and relationships of an object, for a form.
package struct EditingForm: Sendable {
  package let link: EditedLink
  package let fields: [EditingField]
  package let relationships: [EditingRelationship]
}

/// A value of an object, as a field of a form.
package struct EditingField: Hashable, Sendable {
  /// The kinds of input elements for a value.
  package enum Input: Hashable, Sendable {
    case line
    case number
    case date
    /// A text, which may have several lines.
    case text
    case boolean
  }

  package enum Access: Hashable, Sendable {
    case editable(Input)
    /// The value can only be removed. The text is the reason.
    case clearable(String)
    /// The value cannot be changed. The text is the reason.
    case fixed(String)
  }

  package let path: FieldPath
  package let type: String
  package let access: Access
  package let isOptional: Bool
  /// The value in editable form; empty if there is no value.
  package let text: String
  /// The value as pages show it.
  package let value: ShownValue
  /// The model's rules for the value, as texts.
  package let rules: [String]
  /// The bounds of a number; `nil` for other values.
  package let bounds: NumberBounds?
  /// A hash of the value. It shows whether the form still has the staged value.
  package let stamp: String

  /// True for an empty text, which is different from no value.
  package var isEmptyText: Bool { value == .text("") }
}

/// The input for one field of a form.
package struct FieldInput: Hashable, Sendable {
  package var text: String
  /// True if an empty input means an empty text instead of no value.
  package var isEmptyText = false
  /// True if the value is removed, regardless of the text.
  package var isNone = false
  /// The field's stamp when the form was opened; `nil` if the text replaces any value.
  package var stamp: String?

  package init(_ text: String, isEmptyText: Bool = false, isNone: Bool = false, stamp: String? = nil) {
    self.text = text
    self.isEmptyText = isEmptyText
    self.isNone = isNone
    self.stamp = stamp
  }

  /// Removes the value.
  package static let none = FieldInput("", isNone: true)
}

/// The reason why the input for a field cannot be staged.
package struct FieldProblem: Hashable, Sendable {
  package let path: FieldPath
  /// One sentence, which the form shows next to the field.
  package let message: String
}

/// The invalid fields of a form. No value of the form was staged.
package struct WrongFields: Error, Hashable, Sendable {
  package let problems: [FieldProblem]
}

/// A relationship of an object, for a form.
package struct EditingRelationship: Sendable {
  package let name: String
  package let destination: String
  package let isToMany: Bool
  package let isOrdered: Bool
  package let isOptional: Bool
  /// The staged destinations, or the first of them if there are many.
  package let objects: [EditedLink]
  /// The number of staged destinations. If there are too many to edit, it is a lower bound.
  package let count: Int
  /// The reason why this side of the relationship cannot be edited; `nil` if it can.
  package let fixedBecause: String?
}
