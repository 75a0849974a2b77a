import Foundation

/// The result of a fetch inside of an expression: `FETCH(request, context, NO)`.
///
/// The fetch is carried out each time that the expression is evaluated, on the thread that
/// evaluates it, which has to be the one of the context. A SQLite store is asked with the fetch's
/// result in the expression's place. Apple's documentation of `NSFetchRequestExpression`.
open class NSFetchRequestExpression: NSExpression {
  /// Makes an expression whose value is what a context finds for a request.
  ///
  /// ```swift
  /// let pinned = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
  /// pinned.predicate = NSPredicate(format: "isPinned == YES")
  /// let count = NSFetchRequestExpression.expression(
  ///   forFetch: NSExpression(forConstantValue: pinned),
  ///   context: NSExpression(forConstantValue: context),
  ///   countOnly: true
  /// )
  /// let number = count.expressionValue(with: nil, context: nil) as? Int
  /// ```
  ///
  /// - Parameters:
  ///   - fetch: an expression whose value is an `NSFetchRequest`.
  ///   - context: an expression whose value is an `NSManagedObjectContext`.
  ///   - countFlag: true when the value is the number of objects that are found, and not an array of them.
  public class func expression(
    forFetch fetch: NSExpression,
    context: NSExpression,
    countOnly countFlag: Bool
  ) -> NSExpression {
    NSFetchRequestExpression(node: .fetch(request: fetch, context: context, countOnly: countFlag))
  }

  /// The expression whose value is the request.
  open var requestExpression: NSExpression { parts.request }

  /// The expression whose value is the context.
  open var contextExpression: NSExpression { parts.context }

  /// True when the value is the number of objects found.
  open var isCountOnlyRequest: Bool { parts.countOnly }

  private var parts: (request: NSExpression, context: NSExpression, countOnly: Bool) {
    guard case .fetch(let request, let context, let countOnly) = node else {
      fatalError("An NSFetchRequestExpression is made by expression(forFetch:context:countOnly:)")
    }
    return (request, context, countOnly)
  }
}

/// The type of an ``NSFetchRequestExpression``, by the name that Apple's framework declares next to the class.
public let NSFetchRequestExpressionType = NSExpression.ExpressionType.fetchRequest
