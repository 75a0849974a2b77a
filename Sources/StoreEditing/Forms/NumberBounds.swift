import CoreData
import Foundation
import ModelFormats
import Predicates
import StoreExploration

/// The least and the greatest number of a field, according to the attribute's type and the model's rules.
package struct NumberBounds: Hashable, Sendable {
  /// True if the attribute is an integer.
  package let isWhole: Bool
  /// The digits of the least number; `nil` if there is no lower bound.
  package private(set) var minimum: String?
  /// The digits of the greatest number; `nil` if there is no upper bound.
  package private(set) var maximum: String?

  /// - Returns: `nil` if the attribute is not a number.
  init?(_ attribute: NSAttributeDescription) {
    guard attribute.isNumeric else { return nil }
    let range = AttributeKind(attribute.attributeType).range
    isWhole = range != nil
    minimum = range.map { "\($0.lowerBound)" }
    maximum = range.map { "\($0.upperBound)" }
    var pending = attribute.validationPredicates
    while let predicate = pending.popLast() {
      if let bound = RuleWords.bound(predicate) {
        narrow(bound)
      } else if let compound = predicate as? NSCompoundPredicate, compound.compoundPredicateType == .and {
        pending += (compound.subpredicates as [Any]).compactMap { $0 as? NSPredicate }
      }
    }
  }

  /// True if every valid number is zero or more, so that a keyboard does not need a minus sign.
  package var isPositive: Bool { minimum.flatMap(Double.init).map { $0 >= 0 } ?? false }

  private mutating func narrow(_ bound: (isLeast: Bool, number: NSNumber)) {
    let value = bound.number.doubleValue
    if value.isNaN { return }
    let present = (bound.isLeast ? minimum : maximum).flatMap(Double.init)
    if bound.isLeast, value > present ?? -.infinity { minimum = "\(bound.number)" }
    if !bound.isLeast, value < present ?? .infinity { maximum = "\(bound.number)" }
  }
}
