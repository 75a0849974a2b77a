import Foundation
import Predicates

/// A condition on a row. It holds or not: where SQL answers null, it does not.
///
/// SQL has three truth values. A translator asks each part for its opposite instead of writing `NOT` before a
/// compound. The AND and OR that combine the parts then need not distinguish null from false.
enum SQLCondition {
  case always
  case never
  /// - isAtom: true when the condition can be an operand of AND and OR without parentheses.
  case test(isAtom: Bool, SQLWrite)

  static func atom(_ write: @escaping SQLWrite) -> SQLCondition { .test(isAtom: true, write) }

  static func constant(_ holds: Bool) -> SQLCondition { holds ? .always : .never }

  /// A comparison of constants, or its opposite.
  static func constant(_ comparison: NSComparisonPredicate, isNegated: Bool) throws -> SQLCondition {
    let predicate: NSPredicate = isNegated ? NSCompoundPredicate(notPredicateWithSubpredicate: comparison) : comparison
    return .constant(try PredicateEvaluator(predicate, nulls: .asInSQL)(nil))
  }

  /// A comparison, or its opposite. Where the comparison is null, neither holds.
  static func comparison(isNegated: Bool, write: @escaping SQLWrite) -> SQLCondition {
    guard isNegated else { return .atom(write) }
    return .atom { try $0.writeCall("NOT ", of: write) }
  }

  /// The condition that another does not hold: that it is false or null.
  static func doesNotHold(_ condition: SQLCondition) -> SQLCondition {
    switch condition {
    case .always: return .never
    case .never: return .always
    case .test(_, let write):
      return .atom { writer in
        try writer.writeCall(of: write)
        writer.write(" IS NOT TRUE")
      }
    }
  }

  static func all(_ conditions: [SQLCondition]) -> SQLCondition {
    combined(conditions, word: " AND ", neutral: .always)
  }

  static func any(_ conditions: [SQLCondition]) -> SQLCondition { combined(conditions, word: " OR ", neutral: .never) }

  /// - Parameter neutral: the value of an empty combination. A member with this value has no effect, and one
  ///   with the opposite value decides the combination.
  private static func combined(_ conditions: [SQLCondition], word: String, neutral: SQLCondition) -> SQLCondition {
    var parts: [(isAtom: Bool, write: SQLWrite)] = []
    for condition in conditions {
      switch (condition, neutral) {
      case (.always, .always), (.never, .never): continue
      case (.always, _), (.never, _): return condition
      case (.test(let isAtom, let write), _): parts.append((isAtom, write))
      }
    }
    guard parts.count > 1 else {
      return parts.first.map { .test(isAtom: $0.isAtom, $0.write) } ?? neutral
    }
    return .test(isAtom: false) { [parts] writer in try write(parts[...], word, to: &writer) }
  }

  /// A database may take rows of parts for nested ones, and refuse too many levels: a longer row is
  /// written as halves in parentheses.
  private static func write(
    _ parts: ArraySlice<(isAtom: Bool, write: SQLWrite)>,
    _ word: String,
    to writer: inout SQLWriter
  ) throws {
    guard parts.count <= writer.dialect.longestRowOfConditions else {
      let middle = parts.startIndex + parts.count / 2
      try writer.writeCall { try write(parts[..<middle], word, to: &$0) }
      writer.write(word)
      try writer.writeCall { try write(parts[middle...], word, to: &$0) }
      return
    }
    for (index, part) in parts.enumerated() {
      if index > 0 { writer.write(word) }
      try SQLCondition.test(isAtom: part.isAtom, part.write).writeAsAtom(to: &writer)
    }
  }

  /// Writes the condition as an operand of AND.
  func writeAsAtom(to writer: inout SQLWriter) throws {
    switch self {
    case .always: writer.write(writer.dialect.literal(true))
    case .never: writer.write(writer.dialect.literal(false))
    case .test(true, let write): try write(&writer)
    case .test(false, let write): try writer.writeCall(of: write)
    }
  }
}
