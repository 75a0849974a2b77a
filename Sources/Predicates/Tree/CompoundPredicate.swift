public import Foundation

/// Foundation's compound predicate with what Linux Foundation leaves out: text, equality and
/// copying that look at the parts.
///
/// The format parser makes it. `NSCompoundPredicate(andPredicateWithSubpredicates:)` and its kin make instances of
/// Foundation's own class, which evaluate, fetch and can be taken apart as they should, but print as `FALSEPREDICATE`,
/// turn into that when copied, and are all equal to each other; `printedFormat` and `==` of two predicates are right
/// for them too. A module that wants the whole behaviour declares `typealias NSCompoundPredicate = CompoundPredicate`.
///
/// ```swift
/// let parts = [NSPredicate(format: "rating > 2"), NSPredicate(format: "isPinned == NO")]
/// let both = CompoundPredicate(type: .and, subpredicates: parts)
/// print(both)  // rating > 2 AND isPinned == 0
/// ```
public final class CompoundPredicate: NSCompoundPredicate {
  private let evaluator = EvaluatorCache()

  /// Takes a deep tree apart from the top, since its parts would be freed by recursion.
  deinit {
    var dismantler = TreeDismantler()
    dismantler.detachParts(of: self)
    dismantler.run()
  }

  /// The predicate in the format language, such as `a == 1 AND (b == 2 OR c == 3)`.
  public override var predicateFormat: String { printedFormat }

  public override var description: String { printedFormat }

  public override func copy() -> Any { copy(with: nil) }

  public override func copy(with zone: NSZone? = nil) -> Any {
    CompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSCompoundPredicate else { return false }
    return PredicateNode.areEqual(self, second: other)
  }

  public override var hash: Int { PredicateNode.hash(of: self) }

  /// Returns true when the object fulfils the predicate, whose variables (`$name`) have the values of the bindings.
  public override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    evaluator.evaluate(self, with: object, bindings: bindings)
  }
}

/// TRUEPREDICATE or FALSEPREDICATE as the format parser makes it: Foundation's, with a description.
final class ConstantPredicate: NSPredicate {
  let value: Bool

  override init(value: Bool) {
    self.value = value
    super.init(value: value)
  }

  override var description: String { printedFormat }

  override func copy() -> Any { self }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPredicate else { return false }
    return PredicateNode.areEqual(self, second: other)
  }

  override var hash: Int { PredicateNode.hash(of: self) }
}

extension NSPredicate {
  /// The predicate in the format language, also where Linux Foundation's `predicateFormat` cannot
  /// tell: for compound predicates of its own class.
  public var printedFormat: String { PredicatePrinter.text(ofRoot: self) }

  /// Returns true when two predicates are the same tree, also where Linux Foundation's `isEqual` cannot tell: it takes
  /// compound predicates of its own class for equal to each other and to `NSPredicate(value: false)`.
  public static func == (first: NSPredicate, second: NSPredicate) -> Bool {
    PredicateNode.areEqual(first, second: second)
  }

  /// Returns true when two predicates differ as trees.
  public static func != (first: NSPredicate, second: NSPredicate) -> Bool {
    !PredicateNode.areEqual(first, second: second)
  }
}
