import CoreData

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
