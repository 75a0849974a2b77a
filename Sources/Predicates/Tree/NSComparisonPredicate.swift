public import Foundation

/// A predicate that compares the values of two expressions.
///
/// The names and the behaviour follow Apple's documentation of `NSComparisonPredicate`. Instances are immutable.
open class NSComparisonPredicate: NSPredicate {
  /// The options of a comparison of texts; the raw values are Apple's.
  ///
  /// ```swift
  /// let byInes = NSPredicate(format: "author.name ==[cd] %@", "INÊS")
  /// ```
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// `[c]`: letters that differ in case only are the same.
    public static let caseInsensitive = Options(rawValue: 0x1)
    /// `[d]`: letters that differ in diacritical marks only are the same.
    public static let diacriticInsensitive = Options(rawValue: 0x2)
    /// `[n]`: the texts were prepared by the caller and are compared code by code; the other options do not count then.
    public static let normalized = Options(rawValue: 0x4)
    /// `[l]`: order follows the current locale. Apple's format language has it, its headers do not.
    package static let localeSensitive = Options(rawValue: 0x8)
  }

  /// The meaning of a comparison with a collection on its left side; the raw values are Apple's.
  public enum Modifier: UInt, Sendable {
    /// The two values are compared without a modifier.
    case direct = 0
    /// Every element of the left side has to match.
    ///
    /// ```swift
    /// let alwaysGood = NSPredicate(format: "notes.@count > 0 AND ALL notes.rating >= 3")
    /// ```
    case all = 1
    /// At least one element of the left side has to match.
    ///
    /// ```swift
    /// let ofTheGarden = NSPredicate(format: "ANY tags.name == %@", "garden")
    /// ```
    case any = 2
  }

  /// The operators; the raw values are Apple's.
  ///
  /// ```swift
  /// let good = NSPredicate(format: "rating >= 3 AND rating != 5")
  /// let unsigned = NSPredicate(format: "author == nil OR author.name == ''")
  /// let planting = NSPredicate(format: "title BEGINSWITH 'Sow' OR title ENDSWITH 'tree'")
  /// ```
  public enum Operator: UInt, Sendable {
    /// The left value comes before the right one.
    case lessThan = 0
    /// The left value comes before the right one, or is equal to it.
    case lessThanOrEqualTo = 1
    /// The left value comes after the right one.
    case greaterThan = 2
    /// The left value comes after the right one, or is equal to it.
    case greaterThanOrEqualTo = 3
    /// The two values are equal.
    case equalTo = 4
    /// The two values are not equal.
    case notEqualTo = 5
    /// The left text as a whole matches the regular expression (ICU's syntax) on the right.
    ///
    /// ```swift
    /// let aboutTrees = NSPredicate(format: "title MATCHES %@", ".*(tree|hedge)")
    /// ```
    case matches = 6
    /// The left text matches the pattern on the right, where `?` is one character and `*` any number.
    ///
    /// ```swift
    /// let aboutSowing = NSPredicate(format: "title LIKE %@", "Sow the *")
    /// ```
    case like = 7
    /// The left text begins with the right one.
    case beginsWith = 8
    /// The left text ends with the right one.
    case endsWith = 9
    /// The left value is an element of the collection, or a part of the text, on the right.
    ///
    /// ```swift
    /// let byUs = NSPredicate(format: "author.name IN %@", ["Ines", "Tomas"])
    /// ```
    case `in` = 10
    /// The right value is an element of the collection, or a part of the text, on the left.
    ///
    /// ```swift
    /// let aboutApples = NSPredicate(format: "title CONTAINS[c] %@", "APPLE")
    /// ```
    case contains = 99
    /// The left value lies between the two values on the right, both included.
    ///
    /// ```swift
    /// let fair = NSPredicate(format: "rating BETWEEN %@", [2, 4])
    /// ```
    case between = 100
  }

  /// The expression on the left of the operator.
  @exclusivity(unchecked) public private(set) var leftExpression: NSExpression
  /// The expression on the right of the operator.
  @exclusivity(unchecked) public private(set) var rightExpression: NSExpression
  /// The meaning of a collection on the left.
  public let comparisonPredicateModifier: Modifier
  /// The operator.
  public let predicateOperatorType: Operator
  /// The options with which texts are compared.
  public let options: Options

  private let evaluator = EvaluatorCache()

  /// Makes the predicate from its parts.
  ///
  /// ```swift
  /// let predicate = NSComparisonPredicate(
  ///   leftExpression: NSExpression(forKeyPath: "title"),
  ///   rightExpression: NSExpression(forConstantValue: "SOW"),
  ///   modifier: .direct,
  ///   type: .beginsWith,
  ///   options: .caseInsensitive
  /// )
  /// print(predicate)  // title BEGINSWITH[c] "SOW"
  /// ```
  public init(
    leftExpression lhs: NSExpression,
    rightExpression rhs: NSExpression,
    modifier: Modifier,
    type: Operator,
    options: Options = []
  ) {
    leftExpression = lhs
    rightExpression = rhs
    comparisonPredicateModifier = modifier
    predicateOperatorType = type
    self.options = options
    // A block, because Foundation takes any two predicates made by init(value:) for equal.
    super.init(block: { _, _ in false })
  }

  /// Passes the sides to a dismantler, which frees the tree.
  func surrender(to dismantler: inout TreeDismantler) {
    dismantler.detach(&leftExpression)
    dismantler.detach(&rightExpression)
  }

  /// The predicate in the format language, such as `name BEGINSWITH[cd] "a"`.
  open override var predicateFormat: String { PredicatePrinter.text(ofRoot: self) }

  open override var description: String { predicateFormat }

  open override func copy() -> Any { self }

  /// The predicate itself: it never changes.
  open override func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSComparisonPredicate else { return false }
    return TreeEquality.holds(self, second: other)
  }

  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(predicateOperatorType)
    hasher.combine(options)
    hasher.combine(leftExpression)
    hasher.combine(rightExpression)
    return hasher.finalize()
  }

  /// Returns true when the object fulfils the comparison, whose variables (`$name`) have the values of the bindings.
  open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    evaluator.evaluate(self, with: object, bindings: bindings)
  }
}

extension NSComparisonPredicate {
  /// There is no Objective-C here, whose message would compare.
  @available(*, unavailable, message: "use NSPredicate(block:), which can call the method")
  public convenience init(
    leftExpression lhs: NSExpression,
    rightExpression rhs: NSExpression,
    customSelector: Selector
  ) {
    self.init(leftExpression: lhs, rightExpression: rhs, modifier: .direct, type: .equalTo)
  }
}
