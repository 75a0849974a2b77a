public import Foundation
public import Predicates

/// A property of the result of a fetch that is computed: a column of a dictionary, or what an index sorts.
///
/// It is not a property of an entity, and no store keeps it.
///
/// ```swift
/// let count = NSExpressionDescription()
/// count.name = "count"
/// count.expression = NSExpression(format: "count:(title)")
/// count.expressionResultType = .integer64AttributeType
///
/// let request = NSFetchRequest<NSDictionary>(entityName: "Note")
/// request.resultType = .dictionaryResultType
/// request.propertiesToFetch = [count]
/// let number = try context.fetch(request).first?["count"] as? Int
/// ```
// It belongs to one request, and only the code that runs the request uses it.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// The expression that is computed.
  open var expression: Predicates.NSExpression? { willSet { requireMutable("expression") } }

  /// The type of the value.
  open var expressionResultType = NSAttributeType.undefinedAttributeType {
    willSet { requireMutable("expressionResultType") }
  }

  /// `expressionResultType` in Apple's newer spelling.
  ///
  /// Setting a raw value that no `NSAttributeType` has stops the program.
  public final var resultType: NSAttributeDescription.AttributeType {
    get { NSAttributeDescription.AttributeType(expressionResultType) }
    set { expressionResultType = newValue.attributeType(of: modelPath) }
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSExpressionDescription()
    copyState(to: copy)
    copy.expression = expression
    copy.expressionResultType = expressionResultType
    return copy
  }

  open override var description: String {
    "\(describeProperty()), expression \((expression?.description).orNull), expressionResultType \(expressionResultType.rawValue)"
  }
}
