import CoreData
import Foundation
import ModelFormats
import Predicates

/// Describes a property in a few words.
enum PropertyDetail {
  static func words(_ attribute: NSAttributeDescription) -> String {
    let type = TypeWords.name(of: attribute)
    return attribute.isOptional ? "\(type), or nothing" : type
  }

  static func words(_ relationship: NSRelationshipDescription) -> String {
    let name = relationship.destinationEntity?.name ?? "objects"
    return relationship.isToMany ? "to many: \(name)" : "to one: \(name)"
  }
}

/// The names of attribute types, and the values that a type suggests.
enum TypeWords {
  static func name(of attribute: NSAttributeDescription) -> String { AttributeKind(attribute.attributeType).words }

  /// Values of a type that do not come from the store.
  ///
  /// - Parameter now: the present time, for dates.
  static func constants(of attribute: NSAttributeDescription, now: Date = Date()) -> [(String, String)] {
    switch attribute.attributeType {
    case .booleanAttributeType: return [("YES", "true"), ("NO", "false")]
    case .dateAttributeType:
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
      let units: [(Calendar.Component, String)] = [
        (.day, "today"), (.month, "this month"), (.year, "this year"),
      ]
      let beginnings = units.compactMap { unit, name in
        calendar.dateInterval(of: unit, for: now).map { interval in
          (PredicateText.date(interval.start), "the beginning of \(name), \(ShownDate.text(interval.start))")
        }
      }
      return [("now()", "the time of the query")] + beginnings
    default: return []
    }
  }
}

/// The comparison operators that fit a value.
enum OperatorWords {
  static func fitting(_ operand: ScannedOperand, isQuantified: Bool) -> [(String, String)] {
    guard case .path(let path) = operand.kind else { return equality + order + [list] }
    switch path.end {
    case .attribute(let attribute, let isMany):
      if isMany, !isQuantified { return [("CONTAINS", "one of them is")] }
      return fitting(attribute)
    case .object: return equality + [list]
    case .objects: return isQuantified ? equality + [list] : [("CONTAINS", "one of them is")]
    case .number: return equality + order + [between, list]
    case .composite, .unknown: return equality + order + [list]
    }
  }

  private static func fitting(_ attribute: NSAttributeDescription) -> [(String, String)] {
    switch AttributeKind(attribute.attributeType).storage {
    case .text: return texts + equality + [list] + order
    case .integer, .real, .decimal, .date: return equality + order + [between, list]
    case .uuid, .uri: return equality + [list]
    case .boolean, .data, .transformable, .composite, .none: return equality
    }
  }

  private static let equality = [("==", "equals"), ("!=", "is another than")]
  private static let order = [
    ("<", "is less than"), ("<=", "is at most"), (">", "is greater than"), (">=", "is at least"),
  ]
  private static let texts = [
    ("CONTAINS[cd]", "contains, whatever capitals and accents"),
    ("BEGINSWITH[cd]", "begins with, whatever capitals and accents"),
    ("ENDSWITH[cd]", "ends with, whatever capitals and accents"),
    ("LIKE[cd]", "has the form, with * for any text and ? for any character"),
    ("MATCHES", "is matched by a regular expression"),
    ("CONTAINS", "contains exactly"), ("BEGINSWITH", "begins exactly with"),
    ("ENDSWITH", "ends exactly with"),
  ]
  private static let between = ("BETWEEN", "lies between two limits, or is one of them")
  private static let list = ("IN", "is one of a list")
}

/// The functions of the format language.
enum FunctionWords {
  static let all: [(String, String)] = special + predefined

  private static let special = [
    ("CAST(", "a value as another type, such as CAST(\"1.5\", \"NSDecimalNumber\")"),
    ("TERNARY(", "one of two values, after a condition"),
  ]

  /// Functions with one name and ordered arguments, as the format language calls them.
  private static let predefined: [(String, String)] = [
    ("now()", "the time of the query"), ("abs(", "a number without its sign"),
    ("floor(", "the whole number below"), ("ceiling(", "the whole number above"),
    ("trunc(", "a number without its fraction"), ("sqrt(", "a square root"),
    ("length(", "the number of a text's characters"), ("lowercase(", "a text in small letters"),
    ("uppercase(", "a text in capital letters"), ("sum(", "the sum of many"), ("min(", "the least of many"),
    ("max(", "the greatest of many"), ("average(", "the mean of many"), ("count(", "how many there are"),
    ("modulus:by:(", "the rest of a division"),
  ]
}
