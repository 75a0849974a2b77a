import CoreData

/// Reads the predicate of `--where`.
enum PredicateReader {
  static func read(_ text: String) throws -> NSPredicate {
    #if canImport(ObjectiveC)
      NSPredicate(format: text)
    #else
      do {
        return try NSPredicate(parsing: text)
      } catch {
        throw CommandFailure("--where: \(error)")
      }
    #endif
  }
}

/// Reads an expression of the predicate language that an option holds.
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
