package import Foundation

/// The contents of a predicate, for code that walks the tree: the printer, the evaluator, the translation to SQL.
package enum PredicateNode {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  case comparison(NSComparisonPredicate)
  case compound(NSCompoundPredicate.LogicalType, [NSPredicate])
  /// A closure, or an instance of an application's subclass: it can be evaluated, but its contents are unknown.
  case opaque(NSPredicate)
}

extension NSPredicate {
  /// The predicate's kind and parts.
  package var node: PredicateNode {
    switch self {
    case let comparison as NSComparisonPredicate: return .comparison(comparison)
    case let constant as ConstantPredicate: return .constant(constant.value)
    case let compound as NSCompoundPredicate: return .compound(compound.compoundPredicateType, compound.subpredicates)
    default:
      // Foundation keeps its value private, but compares by it.
      if type(of: self) == NSPredicate.self {
        if isEqual(NSPredicate(value: true)) { return .constant(true) }
        if isEqual(NSPredicate(value: false)) { return .constant(false) }
      }
      return .opaque(self)
    }
  }
}

extension PredicateNode {
  /// Returns true when both predicates are the same tree; closures are equal only to themselves.
  package static func areEqual(_ first: NSPredicate, second: NSPredicate) -> Bool {
    TreeEquality.holds(first, second: second)
  }

  /// A hash that equal predicates share, whichever class they are of. Of compounds only the shape counts.
  static func hash(of predicate: NSPredicate) -> Int {
    var hasher = Hasher()
    switch predicate.node {
    case .constant(let value): hasher.combine(value)
    case .comparison(let comparison): return comparison.hash
    case .compound(let type, let parts):
      hasher.combine(type)
      hasher.combine(parts.count)
      for case let comparison as NSComparisonPredicate in parts.prefix(4) { hasher.combine(comparison.hash) }
    case .opaque(let predicate): hasher.combine(ObjectIdentifier(predicate))
    }
    return hasher.finalize()
  }
}
