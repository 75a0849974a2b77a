/// A condition on a row. It is true or not: where SQL answers null, it does not hold.
///
/// `NSPredicate` has two truth values, SQL three. They agree as long as no null is negated: a
/// translator asks each part for its opposite instead of writing `NOT` before it.
enum SQLCondition {
  case always
  case never
  /// - isAtom: true when it can stand beside AND and OR without parentheses.
  case test(isAtom: Bool, SQLWrite)

  static func atom(_ write: @escaping SQLWrite) -> SQLCondition { .test(isAtom: true, write) }

  static func constant(_ holds: Bool) -> SQLCondition { holds ? .always : .never }

  /// The condition, or its opposite, which holds also where the test is null.
  static func atom(isNegated: Bool, _ write: @escaping SQLWrite) -> SQLCondition {
    guard isNegated else { return .atom(write) }
    return .atom { writer in
      writer.write("(")
      try write(&writer)
      writer.write(") IS NOT TRUE")
    }
  }

  static func all(_ conditions: [SQLCondition]) -> SQLCondition {
    combined(conditions, word: " AND ", neutral: .always)
  }

  static func any(_ conditions: [SQLCondition]) -> SQLCondition {
    combined(conditions, word: " OR ", neutral: .never)
  }

  /// - Parameter neutral: what an empty combination is, and what changes nothing in one; its
  ///   opposite decides it.
  private static func combined(
    _ conditions: [SQLCondition],
    word: String,
    neutral: SQLCondition
  ) -> SQLCondition {
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
      writer.write("(")
      try write(parts[..<middle], word, to: &writer)
      writer.write(")\(word)(")
      try write(parts[middle...], word, to: &writer)
      writer.write(")")
      return
    }
    for (index, part) in parts.enumerated() {
      if index > 0 { writer.write(word) }
      try SQLCondition.test(isAtom: part.isAtom, part.write).writeAsAtom(to: &writer)
    }
  }

  /// Writes the condition so that it can stand beside AND.
  func writeAsAtom(to writer: inout SQLWriter) throws {
    switch self {
    case .always: writer.write(writer.dialect.literal(true))
    case .never: writer.write(writer.dialect.literal(false))
    case .test(true, let write): try write(&writer)
    case .test(false, let write):
      writer.write("(")
      try write(&writer)
      writer.write(")")
    }
  }
}
