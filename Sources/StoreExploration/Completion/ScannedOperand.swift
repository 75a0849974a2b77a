import CoreData
import Predicates

/// A value in a predicate's text, as far as its tokens tell what it is.
struct ScannedOperand {
  enum Kind {
    case path(ScannedPath)
    case text(String)
    case number
    case boolean
    case null
    /// The values between braces, as far as they are in the text yet.
    case list([ScannedOperand])
    /// What is calculated, and variables that the text does not explain.
    case other
  }

  var kind: Kind
  /// Its place, in bytes of UTF-8.
  var range: Range<Int>

  /// A value that is calculated from this one and others.
  var calculated: ScannedOperand { ScannedOperand(kind: .other, range: range) }

  var path: ScannedPath? { if case .path(let path) = kind { path } else { nil } }
}

/// A key path in a predicate's text.
struct ScannedPath {
  struct Key {
    let name: String
    /// Its place, in bytes of UTF-8.
    let range: Range<Int>
  }

  var keys: [Key]
  /// What the first key is a key of.
  let start: ModelKeyPath.End
  /// True when `[FIRST]`, `[LAST]` or an index picks one of many.
  var isPicked = false

  var resolved: ModelKeyPath { ModelKeyPath(keys.map(\.name), from: start) }

  /// What the path leads to, one object where one of many is picked.
  var end: ModelKeyPath.End {
    let end = resolved.end
    if isPicked, case .objects(let entity) = end { return .object(entity) }
    return end
  }

  /// The path as it is written, without variables in front of it.
  var text: String { keys.map(\.name).joined(separator: ".") }
}

/// A comparison in a predicate's text.
struct ScannedComparison {
  enum Operator: Equatable {
    case equal, notEqual, order, between, `in`, contains, text(FormatKeyword)

    init?(_ kind: FormatToken.Kind) {
      switch kind {
      case .sign(.equal): self = .equal
      case .sign(.notEqual): self = .notEqual
      case .sign(.less), .sign(.lessOrEqual), .sign(.greater), .sign(.greaterOrEqual): self = .order
      case .keyword(.between, _): self = .between
      case .keyword(.in, _): self = .in
      case .keyword(.contains, _): self = .contains
      case .keyword(.beginsWith, _): self = .text(.beginsWith)
      case .keyword(.endsWith, _): self = .text(.endsWith)
      case .keyword(.like, _): self = .text(.like)
      case .keyword(.matches, _): self = .text(.matches)
      default: return nil
      }
    }
  }

  let left: ScannedOperand
  let operation: Operator
  /// The place of the operator, in bytes of UTF-8.
  let range: Range<Int>
  let right: ScannedOperand
  let isQuantified: Bool
}
