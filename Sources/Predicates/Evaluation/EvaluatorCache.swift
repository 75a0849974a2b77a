import Foundation
import Synchronization

/// A predicate's closures, made at its first evaluation, and again when a compound in it was changed.
final class EvaluatorCache: Sendable {
  /// A compound as it was when the closures were made; Foundation lets its parts be exchanged.
  private struct Shape {
    /// `nil` for the predicate that owns the cache, which must not be kept alive by it.
    let compound: NSCompoundPredicate?
    let type: NSCompoundPredicate.LogicalType
    let parts: [NSPredicate]

    func isCurrent(owner: NSPredicate) -> Bool {
      guard let compound = compound ?? owner as? NSCompoundPredicate else { return true }
      let present = compound.subpredicates
      return compound.compoundPredicateType == type && present.count == parts.count
        && zip(present, parts).allSatisfy { $0 === $1 }
    }
  }

  /// The closures hold only constants, and the shapes are only read.
  private struct Compiled: @unchecked Sendable {
    /// `nil` for what can never be evaluated.
    let test: TestClosure?
    let shapes: [Shape]
  }

  private let compiled = Mutex<Compiled?>(nil)

  /// Returns true when the object matches; `false` when that cannot be said.
  func evaluate(_ predicate: NSPredicate, with object: Any?, bindings: [String: Any]?) -> Bool {
    var current = compiled.withLock { $0 }
    if current?.shapes.allSatisfy({ $0.isCurrent(owner: predicate) }) != true {
      var shapes: [Shape] = []
      Self.collect(predicate, owner: predicate, shapes: &shapes)
      let fresh = Compiled(test: try? PredicateCompiler.checkedTest(predicate), shapes: shapes)
      compiled.withLock { $0 = fresh }
      current = fresh
    }
    guard let test = current?.test else { return false }
    return (try? test(EvaluationScope(object: object, variables: bindings))) ?? false
  }

  /// The compounds in a predicate. The search skips subqueries, because the format language makes
  /// their predicates: to change one, the caller has to make a new predicate.
  private static func collect(_ predicate: NSPredicate, owner: NSPredicate, shapes: inout [Shape]) {
    var pending = [predicate]
    while let predicate = pending.popLast() {
      guard let compound = predicate as? NSCompoundPredicate else { continue }
      let parts = compound.subpredicates
      let nested = compound === owner ? nil : compound
      shapes.append(Shape(compound: nested, type: compound.compoundPredicateType, parts: parts))
      pending.append(contentsOf: parts)
    }
  }
}
