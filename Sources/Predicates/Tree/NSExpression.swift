@_exported public import Foundation

/// A node of a predicate's tree that has a value: a constant, a key path, a function call, a collection.
///
/// ```swift
/// let seconds = NSExpression(forKeyPath: "songs.seconds")
/// let sum = NSExpression(forFunction: "sum:", arguments: [seconds])
/// let album = ["songs": [["seconds": 214], ["seconds": 187]]]
/// let length = sum.expressionValue(with: album, context: nil) as? Int  // 401
/// ```
///
/// The names and the behaviour follow Apple's documentation of `NSExpression`. Instances are immutable, so that a copy
/// is the expression itself. `description` is the text that the format parser reads.
///
/// An accessor that does not belong to the expression's type (`keyPath` of a constant) is a programmer's error and
/// stops the program, as it raises on Apple's platforms: ask `expressionType` first.
open class NSExpression: NSObject, NSCopying {
  /// The kind of an expression; the raw values are Apple's.
  public enum ExpressionType: UInt, Sendable {
    /// A value that is always the same: `constantValue`.
    case constantValue = 0
    /// The object that is evaluated: `SELF`.
    case evaluatedObject = 1
    /// A value from the substitution variables: `$name`.
    case variable = 2
    /// A key path of the evaluated object: `keyPath`.
    case keyPath = 3
    /// A function call: `function`, `operand`, `arguments`.
    case function = 4
    /// All elements of two collections: `left`, `right`.
    case unionSet = 5
    /// The elements that two collections share: `left`, `right`.
    case intersectSet = 6
    /// The elements of one collection that are not in another: `left`, `right`.
    case minusSet = 7
    /// The elements of a collection that match a predicate: `collection`, `variable`, `predicate`.
    case subquery = 13
    /// A list of expressions: `collection`.
    case aggregate = 14
    /// Any key (`ANYKEY`), which only Spotlight knows.
    case anyKey = 15
    /// A Swift closure: `expressionBlock`, `arguments`.
    case block = 19
    /// One of two expressions, chosen by a predicate: `predicate`, `true`, `false`.
    case conditional = 20
    /// The result of a fetch: an ``NSFetchRequestExpression``.
    case fetchRequest = 50
  }

  /// The closure of a block expression: the evaluated object, the values of the arguments, and the
  /// dictionary of substitution variables.
  public typealias Block = (Any?, [Any], NSMutableDictionary?) -> Any

  /// The contents of the expression, for code that walks the tree.
  @exclusivity(unchecked) package private(set) var node: ExpressionNode

  /// The expression's type.
  open var expressionType: ExpressionType { node.expressionType }

  package init(node: ExpressionNode) {
    self.node = node
    super.init()
  }

  /// Makes an expression that only a type is known of; for subclasses, which override `expressionValue(with:context:)`,
  /// and for `.evaluatedObject` and `.anyKey`, which hold nothing else.
  public init(expressionType type: ExpressionType) {
    switch type {
    case .evaluatedObject: node = .evaluatedObject
    case .anyKey: node = .anyKey
    default: node = .custom(type)
    }
    super.init()
  }

  /// Takes the tree apart from the top, since the children of a deep one would be freed by recursion.
  deinit {
    guard node.hasChildren else { return }
    var dismantler = TreeDismantler()
    dismantler.detach(&node)
    dismantler.run()
  }

  /// Passes the node to a dismantler, which frees the tree.
  func surrender(to dismantler: inout TreeDismantler) { dismantler.detach(&node) }

  open override func copy() -> Any { self }

  /// The expression itself: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSExpression else { return false }
    return TreeEquality.holds(self, second: other)
  }

  open override var hash: Int {
    var hasher = Hasher()
    node.hash(into: &hasher)
    return hasher.finalize()
  }

  /// The text that the format parser reads, such as `price * 2` (Apple's documentation of
  /// "Predicate Format String Syntax").
  open override var description: String { PredicatePrinter.text(ofRoot: self) }

  /// The expression's value for an object.
  ///
  /// - Parameters:
  ///   - object: the object at which key paths begin.
  ///   - context: the values of variables, by name.
  /// - Returns: the value; `nil` also when there is none, such as for the sum of texts.
  open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    if case .custom = node { return nil }
    var variables: [String: Any] = [:]
    for case let (name as String, value) in context ?? [:] { variables[name] = value }
    return try? ExpressionEvaluator(self, variables: variables).evaluate(object).object
  }

  /// Does nothing: what was decoded here may always be evaluated.
  open func allowEvaluation() {}
}
