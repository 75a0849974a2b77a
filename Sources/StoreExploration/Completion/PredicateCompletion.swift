/// A text that could stand at the cursor of a predicate that somebody writes.
public struct PredicateCompletion: Hashable, Sendable {
  /// The kinds of completion.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The key of an attribute.
    case attribute
    /// The key of a relationship.
    case relationship
    /// An operation on the objects of a relationship to many, such as `@count`.
    case collection
    /// A comparison, or what joins two of them.
    case operation
    /// The letters behind a comparison of texts that say what does not matter, such as `[cd]`.
    case option
    /// A function with its parenthesis.
    case function
    /// A constant of the language, such as `NULL`.
    case constant
    /// A value that the store has, or one that the type suggests.
    case value
    /// A word that begins something, such as `ANY`.
    case word
    /// The variable of a `SUBQUERY`.
    case variable
  }

  /// The text that replaces the range.
  public let text: String
  /// The part of the predicate that it replaces, counted in units of UTF-16.
  public let range: Range<Int>
  /// The kind, after which a page may colour it.
  public let kind: Kind
  /// A few words on it: the type of an attribute, the destination of a relationship, or what an
  /// operator does.
  public let detail: String
}

/// The reason why a predicate's text cannot be used, and where.
public struct PredicateProblem: Hashable, Sendable {
  /// The part of the text that is wrong, counted in units of UTF-16. It is empty where something is
  /// missing.
  public let range: Range<Int>
  /// The problem, in words.
  public let message: String
  /// What can be done about it, in words.
  public let remedy: String
  /// True when the text is no predicate, false when it is one that does not fit to the model.
  public let isOfSyntax: Bool
}

extension PredicateProblem: CustomStringConvertible {
  /// The message and the remedy.
  public var description: String { remedy.isEmpty ? message : "\(message); \(remedy)" }
}
