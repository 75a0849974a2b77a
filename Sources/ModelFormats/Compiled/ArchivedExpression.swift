import Foundation

/// Writes archived expressions and predicates in the format language, without making any.
struct ArchivedExpression {
  let archive: KeyedArchive
  /// Deeper than people nest predicates, and less than the stack allows.
  private static let deepest = 100

  /// The format of an expression.
  ///
  /// - Throws: `ModelFileError` when it is of a kind that the format language does not have.
  func text(of expression: ArchivedInstance, depth: Int = 0) throws(ModelFileError) -> String {
    try checkDepth(depth)
    switch expression.className {
    case "NSSelfExpression": return "SELF"
    case "NSVariableExpression": return "$" + (try expression.string("NSVariable") ?? "")
    case "NSKeyPathSpecifierExpression": return try expression.string("NSKeyPath") ?? ""
    case "NSConstantValueExpression": return try constant(expression, depth: depth)
    case "NSKeyPathExpression": return try keyPath(expression, depth: depth)
    case "NSFunctionExpression": return try function(expression, depth: depth)
    case "NSFetchRequestExpression": return try fetch(expression, depth: depth)
    case "NSAggregateExpression":
      let elements = try texts(expression.instance("NSCollection"), depth: depth)
      return "{" + elements.joined(separator: ", ") + "}"
    default: throw unknown(expression)
    }
  }

  /// The format of a predicate.
  ///
  /// - Throws: `ModelFileError` when it is of a kind that the format language does not have.
  func text(ofPredicate predicate: ArchivedInstance, depth: Int = 0) throws(ModelFileError) -> String {
    try checkDepth(depth)
    switch predicate.className {
    case "NSTruePredicate": return "TRUEPREDICATE"
    case "NSFalsePredicate": return "FALSEPREDICATE"
    case "NSCompoundPredicate": return try compound(predicate, depth: depth)
    case "NSComparisonPredicate":
      let comparison = try ArchivedComparison(predicate)
      let left = try text(of: comparison.left, depth: depth + 1)
      let right = try text(of: comparison.right, depth: depth + 1)
      return "\(comparison.modifier)\(left) \(comparison.sign)\(comparison.options) \(right)"
    default: throw unknown(predicate)
    }
  }

  private func compound(_ predicate: ArchivedInstance, depth: Int) throws(ModelFileError) -> String {
    var parts: [String] = []
    for uid in try predicate.instance("NSSubpredicates")?.elements() ?? [] {
      guard let part = try archive.instance(uid) else { continue }
      parts.append("(" + (try text(ofPredicate: part, depth: depth + 1)) + ")")
    }
    switch try predicate.integer("NSCompoundPredicateType") {
    case 0: return "NOT " + parts.joined()
    case 1: return parts.isEmpty ? "TRUEPREDICATE" : parts.joined(separator: " AND ")
    case 2: return parts.isEmpty ? "FALSEPREDICATE" : parts.joined(separator: " OR ")
    default: throw unknown(predicate)
    }
  }

  private func keyPath(_ expression: ArchivedInstance, depth: Int) throws(ModelFileError) -> String {
    let path = try texts(expression.instance("NSArguments"), depth: depth).joined(separator: ".")
    guard let operand = try expression.instance("NSOperand"), operand.className != "NSSelfExpression" else {
      return path
    }
    return try text(of: operand, depth: depth + 1) + "." + path
  }

  private func function(_ expression: ArchivedInstance, depth: Int) throws(ModelFileError) -> String {
    let name = try expression.string("NSSelectorName") ?? ""
    let arguments = try texts(expression.instance("NSArguments"), depth: depth)
    if let operand = try expression.instance("NSOperand"),
      try operand.string("NSConstantValueClassName") == nil
    {
      let all = [try text(of: operand, depth: depth + 1), "\"\(name)\""] + arguments
      return "FUNCTION(" + all.joined(separator: ", ") + ")"
    }
    if let sign = Self.arithmetic[name], arguments.count == 2 { return "(\(arguments[0]) \(sign) \(arguments[1]))" }
    return "\(name)(" + arguments.joined(separator: ", ") + ")"
  }

  private func fetch(_ expression: ArchivedInstance, depth: Int) throws(ModelFileError) -> String {
    guard let request = try expression.instance("NSFRExpression"),
      let context = try expression.instance("NSMOCExpression")
    else { throw archive.error(expression.className, problem: "an archived FETCH lacks its request or its context") }
    let parts = [
      try text(of: request, depth: depth + 1), try text(of: context, depth: depth + 1),
      try expression.boolean("NSCountOnlyFlag") ? "YES" : "NO",
    ]
    return "FETCH(" + parts.joined(separator: ", ") + ")"
  }

  private static let arithmetic = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/", "raise:toPower:": "**",
  ]

  private func constant(_ expression: ArchivedInstance, depth: Int) throws(ModelFileError) -> String {
    if let name = try expression.string("NSConstantValueClassName") { return name }
    if let array = try expression.instance("NSConstantValue"), array.className.contains("Array") {
      var elements: [String] = []
      for uid in try array.elements() {
        elements.append(try literal(try ModelDocument.Value(uid: uid, archive: archive), of: expression))
      }
      return "{" + elements.joined(separator: ", ") + "}"
    }
    return try literal(try ModelDocument.Value(expression, key: "NSConstantValue"), of: expression)
  }

  private func literal(
    _ value: ModelDocument.Value?,
    of expression: ArchivedInstance
  ) throws(ModelFileError) -> String {
    switch value {
    case nil:
      if try expression.value("NSConstantValue") != nil { throw unknown(expression) }
      return "nil"
    case .boolean(let value): return value ? "TRUE" : "FALSE"
    case .integer(let value): return String(value)
    case .double(let value): return "\(value)"
    case .decimal(let value): return "\(value)"
    case .date(let value): return "CAST(\(value.timeIntervalSinceReferenceDate), \"NSDate\")"
    case .string(let value): return Self.quoted(value)
    case .uuid(let value): return Self.quoted(value.uuidString)
    case .uri(let value): return Self.quoted(value.absoluteString)
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(
      of: "\"",
      with: "\\\""
    )
    .replacingOccurrences(of: "\n", with: "\\n").replacingOccurrences(of: "\r", with: "\\r")
    .replacingOccurrences(of: "\t", with: "\\t")
    return "\"\(escaped)\""
  }

  private func texts(_ list: ArchivedInstance?, depth: Int) throws(ModelFileError) -> [String] {
    var texts: [String] = []
    for uid in try list?.elements() ?? [] {
      guard let element = try archive.instance(uid) else { continue }
      texts.append(try text(of: element, depth: depth + 1))
    }
    return texts
  }

  private func checkDepth(_ depth: Int) throws(ModelFileError) {
    if depth > Self.deepest {
      throw archive.error("predicate", problem: "a predicate is nested more than \(Self.deepest) deep")
    }
  }

  private func unknown(_ instance: ArchivedInstance) -> ModelFileError {
    archive.error(
      instance.className,
      problem: "an archived predicate or expression of this class cannot be understood"
    )
  }
}

/// The parts of an archived comparison.
struct ArchivedComparison {
  let left: ArchivedInstance
  let right: ArchivedInstance
  /// The raw value of Apple's `NSComparisonPredicate.Operator`.
  let type: Int64
  let modifier: String
  let options: String

  init(_ predicate: ArchivedInstance) throws(ModelFileError) {
    guard let left = try predicate.instance("NSLeftExpression"),
      let right = try predicate.instance("NSRightExpression"),
      let sign = try predicate.instance("NSPredicateOperator"), let type = try sign.integer("NSOperatorType"),
      Self.signs[type] != nil
    else { throw predicate.archive.error(predicate.className, problem: "an archived comparison lacks a part") }
    self.left = left
    self.right = right
    self.type = type
    modifier = [1: "ALL ", 2: "ANY "][try sign.integer("NSModifier") ?? 0] ?? ""
    let ownFlags = try sign.integer("NSOptions")
    let stringFlags = try sign.integer("NSFlags")
    let flags = ownFlags ?? stringFlags ?? 0
    let letters = [(1, "c"), (2, "d"), (4, "n"), (8, "l")].filter { flags & $0.0 != 0 }.map(\.1).joined()
    options = letters.isEmpty ? "" : "[\(letters)]"
  }

  var sign: String { Self.signs[type] ?? "" }

  private static let signs: [Int64: String] = [
    0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH",
    9: "ENDSWITH",
    10: "IN", 99: "CONTAINS", 100: "BETWEEN",
  ]
}
