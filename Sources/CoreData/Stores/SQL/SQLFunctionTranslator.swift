import Foundation
import Predicates

/// Turns calls of the predefined functions into SQL, where SQL has the same results.
struct SQLFunctionTranslator {
  private let translator: SQLPredicateTranslator
  private let expression: NSExpression

  init(_ translator: SQLPredicateTranslator, _ expression: NSExpression) {
    self.translator = translator
    self.expression = expression
  }

  /// - Throws: an error that names the expression, when it can only be evaluated in memory.
  func scalar(_ name: String, _ arguments: [NSExpression]) throws -> SQLScalar {
    if let collection = try aggregated(name, arguments) { return collection }
    let values = try arguments.map(translator.scalar)
    switch (name, values.count) {
    case ("noindex:", 1): return values[0]
    case ("add:to:", 2): return try arithmetic(values[0], "+", values[1])
    case ("from:subtract:", 2): return try arithmetic(values[0], "-", values[1])
    case ("multiply:by:", 2): return try arithmetic(values[0], "*", values[1])
    case ("divide:by:", 2): return try arithmetic(values[0], "/", values[1])
    case ("modulus:by:", 2) where values[0].kind == .integer && values[1].kind == .integer:
      return try arithmetic(values[0], "%", values[1])
    case ("abs:", 1) where values[0].kind.isNumber:
      return call("ABS", values[0], kind: values[0].kind)
    case ("uppercase:", 1), ("lowercase:", 1), ("canonical:", 1):
      return try text(name, values[0], kind: .text)
    case ("length:", 1):
      return try text(name, values[0], kind: .integer)
    default: throw unsupported("\(name) has no SQL with the same result")
    }
  }

  /// A function over the elements of a collection: `count:(tags)`, `max:(notes.rating)`.
  private func aggregated(_ name: String, _ arguments: [NSExpression]) throws -> SQLScalar? {
    let operators = [
      "count:": "@count", "sum:": "@sum", "average:": "@avg", "min:": "@min", "max:": "@max",
    ]
    guard let operation = operators[name] else { return nil }
    guard arguments.count == 1, case .collection(let collection) = try translator.operand(arguments[0]) else {
      throw unsupported("\(name) needs one to-many relationship")
    }
    return try SQLAggregate(operation, rest: [], keyPath: "\(expression)").scalar(over: collection)
  }

  private func arithmetic(_ left: SQLScalar, _ sign: String, _ right: SQLScalar) throws -> SQLScalar {
    func isCountable(_ kind: SQLKind) -> Bool { kind.isNumber || kind == .date }
    guard isCountable(left.kind), isCountable(right.kind) else {
      throw unsupported("\(left.kind.name) and \(right.kind.name) cannot be calculated with")
    }
    let kind: SQLKind = left.kind == .integer && right.kind == .integer ? .integer : .real
    return SQLScalar(kind) { writer in
      writer.write("(")
      try left.write(&writer)
      // SQLite keeps a whole number as such also where the column is of another kind, and would divide without rest.
      writer.write(kind == .real && sign == "/" ? " * 1.0 / " : " \(sign) ")
      try right.write(&writer)
      writer.write(")")
    }
  }

  private func text(_ name: String, _ argument: SQLScalar, kind: SQLKind) throws -> SQLScalar {
    guard argument.kind == .text else { throw unsupported("\(name) needs text, not \(argument.kind.name)") }
    return call(translator.dialect.textFunction(name), argument, kind: kind)
  }

  private func call(_ function: String, _ argument: SQLScalar, kind: SQLKind) -> SQLScalar {
    SQLScalar(kind) { writer in
      writer.write("\(function)(")
      try argument.write(&writer)
      writer.write(")")
    }
  }

  private func unsupported(_ reason: String) -> any Error {
    SQLTranslationFailure.error("\(expression)", reason)
  }
}
