public import Foundation

extension PredicateFactory where Self: NSPredicate {
  /// Converts a predicate that the `#Predicate` macro made.
  ///
  /// ```swift
  /// let isShort = #Predicate<Note> { $0.isPinned && !$0.title.contains("draft") }
  /// guard let predicate = NSPredicate(isShort) else { fatalError("this has no format") }
  /// print(predicate)  // isPinned == 1 AND NOT title CONTAINS "draft"
  /// ```
  ///
  /// Key paths become names, as `AnyKeyPath._kvcKeyPathString` finds them; `contains(where:)`,
  /// `allSatisfy(_:)` and `filter(_:)` become `SUBQUERY`; a condition on an optional becomes false,
  /// or what `??` says, where there is no value.
  ///
  /// - Returns: `nil` when an operation has no counterpart in the format language, such as a cast
  ///   to another type or the number of characters of a text, or when a key path's names cannot be
  ///   found.
  public init?<Input>(_ predicate: Foundation.Predicate<Input>) {
    var converter = MacroConverter()
    converter.variables[predicate.variable.key] = .expressionForEvaluatedObject()
    do throws(MacroConversionError) {
      guard let own = try converter.predicate(predicate.expression) as? Self else { return nil }
      self = own
    } catch {
      return nil
    }
  }
}
