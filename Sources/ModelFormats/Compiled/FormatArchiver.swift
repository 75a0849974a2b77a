import Foundation
import Predicates
import PropertyLists

/// Archives predicates and expressions of the format language as Foundation does.
///
/// Only nodes that were observed in archives of Apple's tools are archived. For all others
/// (`MATCHES`, `LIKE`, `BEGINSWITH`, `ENDSWITH`, `BETWEEN`, subqueries, set operations,
/// conditions), the caller keeps the text of the whole format instead.
struct FormatArchiver {
  /// A node that was never observed in an archive.
  struct Unknown: Error {}

  private var writer: KeyedArchiveWriter
  private var depth = 0
  // Safely less than the reader takes.
  private static let deepest = 80

  private init(writer: KeyedArchiveWriter) { self.writer = writer }

  /// Adds a predicate to an archive, or returns `nil` if the text is not a predicate or cannot be archived.
  static func predicate(_ format: String, in writer: inout KeyedArchiveWriter) -> Int? {
    (try? NSPredicate(parsing: format)).flatMap { self.predicate($0, in: &writer) }
  }

  /// Adds a predicate to an archive, or returns `nil` when it cannot be archived.
  static func predicate(_ predicate: NSPredicate, in writer: inout KeyedArchiveWriter) -> Int? {
    var archiver = FormatArchiver(writer: writer)
    guard let uid = try? archiver.add(predicate) else { return nil }
    writer = archiver.writer
    return uid
  }

  /// Adds an expression to an archive, or returns `nil` if the text is not an expression or cannot be archived.
  static func expression(_ format: String, in writer: inout KeyedArchiveWriter) -> Int? {
    (try? Predicates.NSExpression(parsing: format)).flatMap { self.expression($0, in: &writer) }
  }

  /// Adds an expression to an archive, or returns `nil` when it cannot be archived.
  static func expression(_ expression: Predicates.NSExpression, in writer: inout KeyedArchiveWriter) -> Int? {
    var archiver = FormatArchiver(writer: writer)
    guard let uid = try? archiver.add(expression) else { return nil }
    writer = archiver.writer
    return uid
  }

  /// Returns true if reading the archived predicate gives the original text.
  static func isReproduced(predicate format: String) -> Bool {
    var writer = KeyedArchiveWriter()
    guard let uid = predicate(format, in: &writer),
      let archive = try? KeyedArchive(writer.data(root: uid), file: nil),
      let root = try? archive.rootInstance()
    else { return false }
    return (try? ArchivedExpression(archive: archive).text(ofPredicate: root)) == format
  }

  /// Returns true if reading the archived expression gives the original text.
  static func isReproduced(expression format: String) -> Bool {
    var writer = KeyedArchiveWriter()
    guard let uid = expression(format, in: &writer),
      let archive = try? KeyedArchive(writer.data(root: uid), file: nil),
      let root = try? archive.rootInstance()
    else { return false }
    return (try? ArchivedExpression(archive: archive).text(of: root)) == format
  }

  private mutating func descend() throws(Unknown) {
    depth += 1
    if depth > Self.deepest { throw Unknown() }
  }

  private mutating func add(_ predicate: NSPredicate) throws(Unknown) -> Int {
    try descend()
    defer { depth -= 1 }
    switch predicate.node {
    case .constant(let value): return writer.object(value ? .truePredicate : .falsePredicate, fields: [])
    case .comparison(let comparison): return try add(comparison)
    case .compound(let type, let parts):
      var uids: [Int] = []
      for part in parts { uids.append(try add(part)) }
      let list = writer.collection(.array, uids: uids)
      return writer.object(
        .compoundPredicate,
        fields: [
          ("NSCompoundPredicateType", .integer(Int64(type.rawValue))),
          ("NSSubpredicates", .uid(list)),
        ]
      )
    case .opaque: throw Unknown()
    }
  }

  private mutating func add(_ comparison: Predicates.NSComparisonPredicate) throws(Unknown) -> Int {
    let type = comparison.predicateOperatorType.rawValue
    guard let operatorClass = ArchivedClass.predicateOperator(type) else { throw Unknown() }
    let left = try add(comparison.leftExpression)
    let right = try add(comparison.rightExpression)
    let options = PropertyListValue.integer(Int64(comparison.options.rawValue))
    var fields: [KeyedArchiveWriter.Field] = [
      ("NSModifier", .integer(Int64(comparison.comparisonPredicateModifier.rawValue))),
      ("NSOperatorType", .integer(Int64(type))),
    ]
    switch type {
    case 0...3: fields += [("NSOptions", options), ("NSVariant", .integer(Int64(type)))]
    case 4, 5: fields += [("NSOptions", options), ("NSNegate", .boolean(type == 5))]
    default: fields.append(("NSFlags", options))
    }
    let sign = writer.object(operatorClass, fields: fields)
    return writer.object(
      .comparisonPredicate,
      fields: [
        ("NSLeftExpression", .uid(left)),
        ("NSRightExpression", .uid(right)),
        ("NSPredicateOperator", .uid(sign)),
      ]
    )
  }

  private mutating func add(_ expression: Predicates.NSExpression) throws(Unknown) -> Int {
    try descend()
    defer { depth -= 1 }
    switch expression.node {
    case .evaluatedObject: return writer.object(.selfExpression, fields: [Self.type(1)])
    case .variable(let name):
      return writer.object(.variableExpression, fields: [Self.type(2), ("NSVariable", .uid(writer.string(name)))])
    case .constant(let value):
      return writer.object(
        .constantExpression,
        fields: [Self.type(0), ("NSConstantValue", .uid(try add(constant: value)))]
      )
    case .aggregate(let expressions):
      guard let values = ExpressionNode.constants(expressions) else { throw Unknown() }
      return writer.object(
        .constantExpression,
        fields: [Self.type(0), ("NSConstantValue", .uid(try add(constant: values)))]
      )
    case .keyPath(let path):
      let operand = writer.object(.selfExpression, fields: [Self.type(1)])
      let message = path.contains(".") ? "valueForKeyPath:" : "valueForKey:"
      return addKeyPath(path, message: message, operand: operand, type: 3)
    case .function("valueForKeyPath:", let operand?, let arguments):
      guard arguments.count == 1, case .keyPath(let path) = arguments[0].node else { throw Unknown() }
      return addKeyPath(path, message: "valueForKeyPath:", operand: try add(operand), type: 4)
    case .function(let name, let operand, let arguments):
      var uids: [Int] = []
      for argument in arguments { uids.append(try add(argument)) }
      let target =
        try operand.map { (operand) throws(Unknown) in try add(operand) }
        ?? writer.object(
          .constantExpression,
          fields: [Self.type(0), ("NSConstantValueClassName", .uid(writer.string("_NSPredicateUtilities")))]
        )
      let list = writer.collection(.array, uids: uids)
      return writer.object(
        .functionExpression,
        fields: [
          Self.type(4), ("NSOperand", .uid(target)), ("NSSelectorName", .uid(writer.string(name))),
          ("NSArguments", .uid(list)),
        ]
      )
    case .fetch(let request, let context, let countOnly):
      let parts = (try add(request), try add(context))
      return writer.object(
        .fetchExpression,
        fields: [
          Self.type(50), ("NSFRExpression", .uid(parts.0)), ("NSMOCExpression", .uid(parts.1)),
          ("NSCountOnlyFlag", .boolean(countOnly)),
        ]
      )
    case .set, .subquery, .anyKey, .block, .conditional, .custom: throw Unknown()
    }
  }

  private mutating func addKeyPath(_ path: String, message: String, operand: Int, type: Int64) -> Int {
    let specifier = writer.object(.keyPathSpecifier, fields: [Self.type(10), ("NSKeyPath", .uid(writer.string(path)))])
    let arguments = writer.collection(.mutableArray, uids: [specifier])
    return writer.object(
      .keyPathExpression,
      fields: [
        Self.type(type), ("NSOperand", .uid(operand)), ("NSSelectorName", .uid(writer.string(message))),
        ("NSArguments", .uid(arguments)),
      ]
    )
  }

  private mutating func add(constant value: Any?) throws(Unknown) -> Int {
    try descend()
    defer { depth -= 1 }
    switch value {
    case nil: return 0
    case let elements as [Any?]:
      var uids: [Int] = []
      for element in elements { uids.append(try add(constant: element)) }
      return writer.collection(.array, uids: uids)
    case let text as String: return writer.string(text)
    case let flag as Bool: return writer.boolean(flag)
    case let date as Date: return writer.value(.date(date))
    case let uuid as UUID: return writer.value(.uuid(uuid))
    case let url as URL: return writer.value(.uri(url))
    case let decimal as Decimal: return writer.value(.decimal(decimal))
    case let number as any BinaryInteger:
      guard let integer = Int64(exactly: number) else { throw Unknown() }
      return writer.integer(integer)
    case let number as any BinaryFloatingPoint: return writer.real(Double(number))
    default: throw Unknown()
    }
  }

  private static func type(_ number: Int64) -> KeyedArchiveWriter.Field { ("NSExpressionType", .integer(number)) }
}
