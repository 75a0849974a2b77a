import CoreData
import Predicates

/// A value in a predicate's text, as far as its tokens show its kind.
struct ScannedOperand {
  enum Kind {
    case path(ScannedPath)
    case text(String)
    case number
    case boolean
    case null
    /// The values between braces that are in the text so far.
    case list([ScannedOperand])
    /// A calculated value, or a variable that the text does not define.
    case other
  }

  var kind: Kind
  /// The position, in bytes of UTF-8.
  var range: Range<Int>

  /// This value as a part of a calculation, whose result is not known.
  var calculated: ScannedOperand { ScannedOperand(kind: .other, range: range) }

  var path: ScannedPath? { if case .path(let path) = kind { path } else { nil } }
}

/// A key path in a predicate's text.
struct ScannedPath {
  struct Key {
    let name: String
    /// The position, in bytes of UTF-8.
    let range: Range<Int>
  }

  var keys: [Key]
  /// The type that has the first key.
  let start: ModelKeyPath.End
  /// True if `[FIRST]`, `[LAST]` or an index picks one of many.
  var isPicked = false

  var resolved: ModelKeyPath { ModelKeyPath(keys.map(\.name), from: start) }

  /// The destination of the path. It is a single object if the path picks one of many.
  var end: ModelKeyPath.End {
    let end = resolved.end
    if isPicked, case .objects(let entity) = end { return .object(entity) }
    return end
  }

  /// The path as it is written, without a leading variable.
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
  /// The position of the operator, in bytes of UTF-8.
  let range: Range<Int>
  let right: ScannedOperand
  let isQuantified: Bool
}
