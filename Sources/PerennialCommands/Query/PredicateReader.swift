import CoreData
import StoreExploration
import Texts

/// Parses the predicate of `--where`.
enum PredicateReader {
  /// - Throws: a `CommandFailure` for a text that is not a predicate, or that does not fit the model.
  static func read(_ text: String, for entity: NSEntityDescription) throws -> NSPredicate {
    switch TypedPredicate(text, entity: entity) {
    case .right(let predicate): return predicate
    case .wrong(let problem):
      throw CommandFailure(
        "--where: \(problem.message), at position \(problem.range.lowerBound + 1) of \"\(text.abbreviated)\"; "
          + problem.remedy
      )
    }
  }
}

/// Parses the value of an option as an expression of the predicate language.
enum ExpressionArgument {
  static func read(_ text: String, option: String) throws -> NSExpression {
    #if canImport(ObjectiveC)
      NSExpression(format: text)
    #else
      do {
        return try NSExpression(parsing: text)
      } catch {
        throw CommandFailure("\(option): \"\(text)\": \(error)")
      }
    #endif
  }
}
