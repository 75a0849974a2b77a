package import StoreExploration

/// The staged values and relationships of an object, as a form shows them.
package struct EditingForm: Sendable {
  package let link: EditedLink
  package let fields: [EditingField]
  package let relationships: [EditingRelationship]
}

/// A value of an object as a field of a form.
package struct EditingField: Hashable, Sendable {
  /// The kinds of input that suit a value.
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
    /// The value can be set to none, and is shown otherwise, for a reason.
    case clearable(String)
    /// The value is shown, for a reason.
    case fixed(String)
  }

  package let path: FieldPath
  package let type: String
  package let access: Access
  package let isOptional: Bool
  /// The value as a person edits it; empty for none.
  package let text: String
  /// The value as pages show it.
  package let value: ShownValue
  /// The model's rules for the value, in its words.
  package let rules: [String]
  /// The bounds of a number; `nil` for other values.
  package let bounds: NumberBounds?
  /// Tells whether a field shows what is staged now; different for different values.
  package let stamp: String

  /// True for a text without characters, which is not none.
  package var isEmptyText: Bool { value == .text("") }
}

/// What a person has given for a field.
package struct FieldInput: Hashable, Sendable {
  package var text: String
  /// True where an empty box means a text without characters, and not none.
  package var isEmptyText = false
  /// True where the value is to be none, whatever the box has.
  package var isNone = false
  /// The stamp of the field when the form was opened; `nil` where the text counts in any case.
  package var stamp: String?

  package init(_ text: String, isEmptyText: Bool = false, isNone: Bool = false, stamp: String? = nil) {
    self.text = text
    self.isEmptyText = isEmptyText
    self.isNone = isNone
    self.stamp = stamp
  }

  /// The value none.
  package static let none = FieldInput("", isNone: true)
}

/// The reason why what was given for a field cannot be staged.
package struct FieldProblem: Hashable, Sendable {
  package let path: FieldPath
  /// One sentence, of which a form makes the error at the field.
  package let message: String
}

/// The fields of a form that are wrong. Nothing of the form was staged.
package struct WrongFields: Error, Hashable, Sendable {
  package let problems: [FieldProblem]
}

/// A relationship of an object as a form shows it.
package struct EditingRelationship: Sendable {
  package let name: String
  package let destination: String
  package let isToMany: Bool
  package let isOrdered: Bool
  package let isOptional: Bool
  /// The staged destinations, the first of them where there are many.
  package let objects: [EditedLink]
  /// The number of staged destinations; at least so many where the relationship has too many to be edited.
  package let count: Int
  /// The reason why the relationship cannot be edited from this side; `nil` where it can.
  package let fixedBecause: String?
}
