import Foundation

/// Reads a predicate format by recursive descent.
///
/// `(` may begin a predicate as well as an expression. Every level therefore returns a `Term`, which is either, and a
/// caller that needs one kind asks the term for it: nothing is read twice, and the time grows with the length only.
/// Functions that do not recurse are not inlined, so that a level of nesting takes little of the stack.
struct FormatParser {
  /// The greatest height of a tree. Code that walks a tree recurses, and a thread's stack is finite.
  static let greatestHeight = 100

  static let anExpression = "an expression"

  /// A part of the format that was read: a predicate or an expression.
  struct Term {
    enum Kind {
      case predicate(NSPredicate)
      case expression(NSExpression)
    }

    var kind: Kind
    /// The number of nodes from this one to its farthest leaf, itself included.
    var height: Int
    /// The position at which it begins, for errors.
    var start: Int
  }

  var lexer: FormatLexer
  var token: FormatToken
  var arguments: FormatArguments
  private var depth = 0
  /// The number of operators that wait for their right side. A tree of the greatest height has as
  /// many of them as of parentheses.
  private var operatorDepth = 0

  init(_ format: String, arguments: [Any?]) throws(PredicateFormatError) {
    lexer = FormatLexer(format)
    token = try lexer.next()
    self.arguments = FormatArguments(arguments)
  }

  /// Reads a whole format as a predicate.
  static func predicate(_ format: String, arguments: [Any?]) throws(PredicateFormatError) -> NSPredicate {
    var parser = try FormatParser(format, arguments: arguments)
    let term = try parser.disjunction()
    let predicate = try parser.requirePredicate(term)
    try parser.requireEnd()
    return predicate
  }

  /// Reads a whole format as an expression.
  static func expression(_ format: String, arguments: [Any?]) throws(PredicateFormatError) -> NSExpression {
    var parser = try FormatParser(format, arguments: arguments)
    let term = try parser.sets()
    let expression = try parser.requireExpression(term)
    try parser.requireEnd()
    return expression
  }

  private func requireEnd() throws(PredicateFormatError) {
    guard token.kind != .end else { return }
    throw unexpectedToken(expected: "an operator or the end")
  }

  // MARK: - Compounds

  /// `a OR b OR c`
  mutating func disjunction() throws(PredicateFormatError) -> Term {
    var parts: [Term] = []
    while true {
      let part = try conjunction()
      let continues = isAt(word: .or) || isAt(.or)
      if parts.isEmpty && !continues { return part }
      parts.append(try required(part))
      guard continues else { return try compound(.or, parts: parts) }
      try advance()
    }
  }

  /// `a AND b AND c`
  private mutating func conjunction() throws(PredicateFormatError) -> Term {
    var parts: [Term] = []
    while true {
      let part = try negation()
      let continues = isAt(word: .and) || isAt(.and)
      if parts.isEmpty && !continues { return part }
      parts.append(try required(part))
      guard continues else { return try compound(.and, parts: parts) }
      try advance()
    }
  }

  /// The term, which has to be a predicate; checked before the next is read, so that the error is at its end.
  @inline(never)
  private func required(_ term: Term) throws(PredicateFormatError) -> Term {
    var term = term
    term.kind = .predicate(try requirePredicate(term))
    return term
  }

  @inline(never)
  private func compound(_ type: NSCompoundPredicate.LogicalType, parts: [Term]) throws(PredicateFormatError) -> Term {
    var predicates: [NSPredicate] = []
    var height = 0
    for part in parts {
      predicates.append(try requirePredicate(part))
      height = max(height, part.height)
    }
    let predicate = CompoundPredicate(type: type, subpredicates: predicates)
    return try term(.predicate(predicate), height: height + 1, start: parts.first?.start ?? 0)
  }

  /// `NOT NOT a`
  private mutating func negation() throws(PredicateFormatError) -> Term {
    var starts: [Int] = []
    while isAt(word: .not) || isAt(.not) {
      starts.append(token.start)
      guard starts.count <= Self.greatestHeight else { throw tooDeep(at: token.start) }
      try advance()
    }
    var inner = try comparison()
    while let start = starts.popLast() { inner = try negated(inner, start: start) }
    return inner
  }

  @inline(never)
  private func negated(_ inner: Term, start: Int) throws(PredicateFormatError) -> Term {
    let predicate = CompoundPredicate(type: .not, subpredicates: [try requirePredicate(inner)])
    return try term(.predicate(predicate), height: inner.height + 1, start: start)
  }

  // MARK: - Tokens

  @inline(never)
  mutating func advance() throws(PredicateFormatError) { token = try lexer.next() }

  func isAt(word keyword: FormatKeyword) -> Bool {
    if case .keyword(keyword, _) = token.kind { return true }
    return false
  }

  func isAt(_ sign: FormatSign) -> Bool { token.kind == .sign(sign) }

  /// Steps over a sign that has to be here.
  mutating func expect(_ sign: FormatSign, after place: String) throws(PredicateFormatError) {
    guard isAt(sign) else { throw unexpectedToken(expected: "\"\(sign.rawValue)\" after \(place)") }
    try advance()
  }

  // MARK: - Terms

  @inline(never)
  func term(_ kind: Term.Kind, height: Int, start: Int) throws(PredicateFormatError) -> Term {
    guard height <= Self.greatestHeight else { throw tooDeep(at: start) }
    return Term(kind: kind, height: height, start: start)
  }

  @inline(never)
  func requirePredicate(_ term: Term) throws(PredicateFormatError) -> NSPredicate {
    switch term.kind {
    case .predicate(let predicate): return predicate
    case .expression(let expression):
      // A predicate given as an argument was read as a constant.
      if case .constant(let predicate as NSPredicate) = expression.node { return predicate }
      throw unexpectedToken(expected: "a comparison operator such as == or CONTAINS")
    }
  }

  @inline(never)
  func requireExpression(_ term: Term) throws(PredicateFormatError) -> NSExpression {
    switch term.kind {
    case .expression(let expression): return expression
    case .predicate:
      throw lexer.error("A predicate stands where a value is needed", at: term.start, expected: "an expression")
    }
  }

  /// Counts a level of nesting; the caller takes it back when it leaves.
  mutating func enter() throws(PredicateFormatError) {
    // A leaf may have a parenthesis of its own.
    guard depth <= Self.greatestHeight else { throw tooDeep(at: token.start) }
    depth += 1
  }

  mutating func leave() { depth -= 1 }

  /// Counts an operator whose right side is read, which takes little of the stack; the caller takes it back.
  mutating func enterOperator() throws(PredicateFormatError) {
    guard operatorDepth < Self.greatestHeight else { throw tooDeep(at: token.start) }
    operatorDepth += 1
  }

  mutating func leaveOperator() { operatorDepth -= 1 }

  @inline(never)
  func tooDeep(at offset: Int) -> PredicateFormatError {
    lexer.error("The format is nested too deeply", at: offset, expected: "at most \(Self.greatestHeight) levels")
  }

  /// The error that the present token is not what should be here.
  @inline(never)
  func unexpectedToken(expected: String) -> PredicateFormatError {
    if token.kind == .end { return lexer.error("The format ends too early", at: token.start, expected: expected) }
    let text = String(decoding: lexer.bytes[token.start..<token.end], as: UTF8.self)
    if case .keyword = token.kind, expected == Self.anExpression {
      return lexer.error(
        "Unexpected \(text)",
        at: token.start,
        expected: "\(expected); a key of that name is written #\(text)"
      )
    }
    return lexer.error("Unexpected \(text)", at: token.start, expected: expected)
  }
}
