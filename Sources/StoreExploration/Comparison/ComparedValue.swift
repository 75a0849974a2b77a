import CoreData
import Foundation
import Seeding
import Texts

/// The value of a property in one of two compared objects.
struct ComparedValue: Sendable {
  /// The greatest number of destinations that the text names.
  private static let mostNames = 20
  /// The greatest length of a text value, in Unicode characters.
  private static let longestText = 500

  let digest: ComparisonDigest
  let words: String

  static func words(_ value: Any?, of attribute: NSAttributeDescription) -> String {
    switch value {
    case let text as String: "\"\(text.cut(to: longestText))\""
    case let number as NSNumber where attribute.attributeType == .booleanAttributeType: number.boolValue ? "YES" : "NO"
    case let value: ValueWords.of(value) { _ in nil }
    }
  }

  static func words(
    _ destinations: [NSManagedObject],
    of relationship: NSRelationshipDescription,
    namer: inout ObjectNames
  ) -> String {
    let names = destinations.prefix(mostNames).map { namer.name(of: $0) }
    guard relationship.isToMany else { return names.first ?? "nothing" }
    let told = (relationship.isOrdered ? names : names.sorted()).joined(separator: ", ")
    let rest = destinations.count - names.count
    return "[\(told)\(rest > 0 ? ", and \(rest) more" : "")]"
  }
}
