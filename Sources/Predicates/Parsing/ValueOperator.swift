/// An operator between two values.
enum ValueOperator: String, CaseIterable {
  case union = "UNION"
  case intersect = "INTERSECT"
  case minusSet = "MINUS"
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divide = "/"
  case power = "**"
  case bitAnd = "&"
  case bitOr = "|"
  case bitXor = "^"
  case shiftLeft = "<<"
  case shiftRight = ">>"

  /// The operator of a sign; `nil` for the other signs.
  ///
  /// Each operand of a format asks for it. Looking up the sign's text would take 2 % of the instructions of a fetch by an
  /// indexed attribute.
  init?(_ sign: FormatSign) {
    switch sign {
    case .plus: self = .plus
    case .minus: self = .minus
    case .times: self = .times
    case .divide: self = .divide
    case .power: self = .power
    case .bitAnd: self = .bitAnd
    case .bitOr: self = .bitOr
    case .bitXor: self = .bitXor
    case .shiftLeft: self = .shiftLeft
    case .shiftRight: self = .shiftRight
    default: return nil
    }
  }

  /// The operator that a predefined function is written with.
  init?(function: String) {
    guard let match = Self.byFunction[function] else { return nil }
    self = match
  }

  private static let byFunction = Dictionary(
    uniqueKeysWithValues: allCases.compactMap { sign in sign.function.map { ($0, sign) } }
  )

  /// The predefined function for the operator; `nil` for a set operation.
  var function: String? {
    switch self {
    case .union, .intersect, .minusSet: nil
    case .plus: "add:to:"
    case .minus: "from:subtract:"
    case .times: "multiply:by:"
    case .divide: "divide:by:"
    case .power: "raise:toPower:"
    case .bitAnd: "bitwiseAnd:with:"
    case .bitOr: "bitwiseOr:with:"
    case .bitXor: "bitwiseXor:with:"
    case .shiftLeft: "leftshift:by:"
    case .shiftRight: "rightshift:by:"
    }
  }

  /// The strength with which it binds; the higher the tighter.
  var precedence: Int {
    switch self {
    case .union, .intersect, .minusSet: 0
    case .bitOr: 1
    case .bitXor: 2
    case .bitAnd: 3
    case .shiftLeft, .shiftRight: 4
    case .plus, .minus: 5
    case .times, .divide: 6
    case .power: 7
    }
  }
}
