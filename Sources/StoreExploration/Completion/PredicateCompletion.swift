/// A text that can be inserted at the cursor of a predicate.
package struct PredicateCompletion: Hashable, Sendable {
  /// The kinds of completion.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The key of an attribute.
    case attribute
    /// The key of a relationship.
    case relationship
    /// An operation on the objects of a to-many relationship, such as `@count`.
    case collection
    /// A comparison operator, or a word that joins two comparisons.
    case operation
    /// The options of a text comparison, such as `[cd]`, which ignores capitals and accents.
    case option
    /// A function with its parenthesis.
    case function
    /// A constant of the language, such as `NULL`.
    case constant
    /// A value from the store, or one that the type suggests.
    case value
    /// A word that begins something, such as `ANY`.
    case word
    /// The variable of a `SUBQUERY`.
    case variable
  }

  /// The text that replaces the range.
  package let text: String
  /// The part of the predicate that it replaces, counted in units of UTF-16.
  package let range: Range<Int>
  /// The kind. A page may choose a color for each kind.
  package let kind: Kind
  /// A short description: the type of an attribute, the destination of a relationship, or the effect of an operator.
  package let detail: String
}

/// The reason why a predicate cannot be used, and its position in the text.
package struct PredicateProblem: Hashable, Sendable {
  /// The wrong part of the text, counted in units of UTF-16. The range is empty if something is missing.
  package let range: Range<Int>
  /// The text of the problem.
  package let message: String
  /// The text that suggests a correction.
  package let remedy: String
  /// True if the text does not parse. False if it parses, but does not fit the model.
  package let isOfSyntax: Bool
}

extension PredicateProblem: CustomStringConvertible {
  /// The message and the remedy.
  package var description: String { remedy.isEmpty ? message : "\(message); \(remedy)" }
}
