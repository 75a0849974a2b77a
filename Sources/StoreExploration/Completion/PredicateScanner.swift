import CoreData
import Predicates

/// Reads the tokens of a predicate's text, which may be incomplete, and knows what may follow each token.
///
/// The parser accepts only complete predicates and builds a tree without positions. This scanner also reads a text that
/// a person is still typing, and therefore has no errors. An unknown expression is a value of which nothing is known.
struct PredicateScanner {
  /// The kinds of text that can follow.
  enum Expectation {
    case operand
    case key
    case operation
    case variableName
    case comma
    case options
  }

  /// A part of the text within brackets, or the whole text.
  struct Frame {
    enum Kind: Equatable {
      case whole, group, list, function(String), subquery, subscripting, options
    }

    let kind: Kind
    let start: Int
    /// The number of commas in front of the present argument.
    var argument = 0
    var expectation = Expectation.operand
    var quantifier: FormatKeyword?
    /// The left side of a comparison.
    var left: ScannedOperand?
    var operation: (kind: ScannedComparison.Operator, range: Range<Int>)?
    /// The value that was read last.
    var operand: ScannedOperand?
    /// True if an operator between values was read after the last comparison.
    var isCalculated = false
    /// True directly after an operator that accepts options.
    var canHaveOptions = false
    /// The values of a list.
    var elements: [ScannedOperand] = []
    /// The type of a SUBQUERY's collection. The name of its elements is in `variable`.
    var collection: ModelKeyPath.End?
    var variable: String?
  }

  var frames = [Frame(kind: .whole, start: 0)]
  var comparisons: [ScannedComparison] = []
  var paths: [ScannedPath] = []
  /// Variables that the text uses, but that neither a SUBQUERY nor the model defines.
  var unknownVariables: [ScannedPath.Key] = []
  /// The types of the variables, by name.
  var variables: [String: ModelKeyPath.End] = [:]
  private let entity: NSEntityDescription
  var previous: FormatToken?

  init(entity: NSEntityDescription) { self.entity = entity }

  var frame: Frame {
    get { frames[frames.count - 1] }
    set { frames[frames.count - 1] = newValue }
  }

  /// The innermost comparison whose right side is being read. A list is part of that side.
  var openComparison: (left: ScannedOperand, operation: ScannedComparison.Operator)? {
    for frame in frames.reversed() {
      if let left = frame.left, let operation = frame.operation { return (left, operation.kind) }
      guard frame.kind == .list || frame.kind == .group else { return nil }
    }
    return nil
  }

  mutating func read(_ token: FormatToken) {
    defer { previous = token }
    let range = token.start..<token.end
    let hadOptions = frame.canHaveOptions
    frame.canHaveOptions = false
    if frame.expectation == .key, let name = Self.name(token.kind) { return addKey(name, range: range) }
    switch token.kind {
    case .end: break
    case .identifier(let name): beginPath(name, range: range)
    case .variable(let name): read(variable: name, range: range)
    case .integer, .unsigned, .decimal, .double: setOperand(ScannedOperand(kind: .number, range: range))
    case .string(let text): setOperand(ScannedOperand(kind: .text(text), range: range))
    case .argument: setOperand(ScannedOperand(kind: .other, range: range))
    case .sign(let sign): read(sign, range: range, hadOptions: hadOptions, token: token)
    case .keyword(let keyword, let text): read(keyword, text: text, range: range, token: token)
    }
  }

  /// Ends all open frames when the text ends, and records their complete comparisons.
  mutating func finish() {
    while frames.count > 1 { close(at: previous?.end ?? 0) }
    endCondition()
  }

  static func name(_ kind: FormatToken.Kind) -> String? {
    switch kind {
    case .identifier(let name): name
    case .keyword(_, let text): text
    default: nil
    }
  }

  // MARK: - Words

  private mutating func read(
    _ keyword: FormatKeyword,
    text: String,
    range: Range<Int>,
    token: FormatToken
  ) {
    switch keyword {
    case .and, .or: endCondition()
    case .not: frame.expectation = .operand
    case .any, .some, .all, .none:
      frame.quantifier = keyword
      frame.expectation = .operand
    case .yes, .no, .true, .false: setOperand(ScannedOperand(kind: .boolean, range: range))
    case .null, .nil: setOperand(ScannedOperand(kind: .null, range: range))
    case .selfObject:
      setOperand(ScannedOperand(kind: .path(ScannedPath(keys: [], start: .object(entity))), range: range))
    case .truePredicate, .falsePredicate, .anyKey: setOperand(ScannedOperand(kind: .other, range: range))
    case .union, .intersect, .minus:
      frame.isCalculated = true
      frame.expectation = .operand
    default:
      if let operation = ScannedComparison.Operator(token.kind) {
        begin(operation, range: range)
      } else {
        // Words such as FIRST are keywords in one place only, and names everywhere else.
        beginPath(text, range: range)
      }
    }
  }

  mutating func begin(_ operation: ScannedComparison.Operator, range: Range<Int>) {
    recordPath()
    frame.left = frame.isCalculated ? frame.operand.map { $0.calculated } : frame.operand
    frame.operation = (operation, range)
    frame.operand = nil
    frame.isCalculated = false
    frame.canHaveOptions = true
    frame.expectation = .operand
  }

  private mutating func beginPath(_ name: String, range: Range<Int>) {
    if frame.kind == .options || frame.kind == .subscripting && FormatKeyword.named(name) != nil {
      frame.expectation = .operation
      return
    }
    recordPath()
    let path = ScannedPath(keys: [.init(name: name, range: range)], start: .object(entity))
    setOperand(ScannedOperand(kind: .path(path), range: range))
  }

  private mutating func addKey(_ name: String, range: Range<Int>) {
    frame.expectation = .operation
    guard var operand = frame.operand else { return }
    operand.range = operand.range.lowerBound..<range.upperBound
    if case .path(var path) = operand.kind {
      if path.isPicked { path = ScannedPath(keys: [], start: path.end) }
      path.keys.append(.init(name: name, range: range))
      operand.kind = .path(path)
    }
    frame.operand = operand
  }

  private mutating func read(variable name: String, range: Range<Int>) {
    if frame.expectation == .variableName {
      frame.variable = name
      frame.expectation = .comma
      return
    }
    recordPath()
    let object = ObjectVariable.entity(name, in: entity.managedObjectModel)
    guard let end = variables[name] ?? object.map(ModelKeyPath.End.object) else {
      unknownVariables.append(.init(name: name, range: range))
      return setOperand(ScannedOperand(kind: .other, range: range))
    }
    setOperand(ScannedOperand(kind: .path(ScannedPath(keys: [], start: end)), range: range))
  }

  private mutating func setOperand(_ operand: ScannedOperand) {
    frame.operand = operand
    frame.expectation = .operation
  }

  /// Records the path that was read last, when no key follows.
  mutating func recordPath() {
    if let path = frame.operand?.path, !path.keys.isEmpty { paths.append(path) }
  }
}
