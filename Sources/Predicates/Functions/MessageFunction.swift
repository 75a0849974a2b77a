import Foundation

/// The messages that a `FUNCTION` expression may send. There is no Objective-C here, so that each is answered by name.
enum MessageFunction: String, CaseIterable {
  case valueForKeyPath = "valueForKeyPath:"
  case valueForKey = "valueForKey:"
  case objectForKey = "objectForKey:"
  case objectAtIndex = "objectAtIndex:"
  case firstObject
  case lastObject
  case count
  case containsObject = "containsObject:"
  case isEqual = "isEqual:"
  case appending = "stringByAppendingString:"
  case hasPrefix = "hasPrefix:"
  case hasSuffix = "hasSuffix:"
  case dateByAddingTimeInterval = "dateByAddingTimeInterval:"
  case timeIntervalSinceDate = "timeIntervalSinceDate:"

  /// The closure that sends a message to the value of a target. A selector that is not listed is
  /// read as a key, as `uppercaseString` and `length` are.
  static func value(
    _ selector: String,
    target: @escaping ValueClosure,
    arguments: [NSExpression]
  ) throws -> ValueClosure {
    guard let message = MessageFunction(rawValue: selector) else {
      if !arguments.isEmpty || selector.contains(":") { return try answer(of: target, to: selector, arguments) }
      let reader = try KeyPathReader(selector)
      return { try reader.value(from: target($0)) }
    }
    if message.isKeyed, let path = constantPath(arguments) {
      let reader = try KeyPathReader(path)
      return { try reader.value(from: target($0)) }
    }
    let values = try arguments.map(ExpressionCompiler.value)
    let expected = selector.hasSuffix(":") ? 1 : 0
    guard values.count == expected else {
      throw PredicateEvaluationError("The message \(selector) has \(values.count) arguments, expected \(expected)")
    }
    return { scope in
      let object = try target(scope)
      if object.isNull { return .null }
      return try message.send(to: object, argument: values.first.map { try $0(scope) } ?? .null)
    }
  }

  /// A message that only objects know which answer messages themselves.
  private static func answer(
    of target: @escaping ValueClosure,
    to selector: String,
    _ arguments: [NSExpression]
  ) throws -> ValueClosure {
    let values = try arguments.map(ExpressionCompiler.value)
    return { scope in
      guard case .object(let object) = try target(scope), let receiver = object as? any MessageReceiver else {
        throw PredicateEvaluationError(
          "The message \(selector) cannot be sent here, expected a key or one of "
            + allCases.map(\.rawValue).joined(separator: " ")
        )
      }
      var evaluated: [Any?] = []
      for value in values { evaluated.append(try value(scope).any) }
      return EvaluatedValue(try receiver.answer(selector, evaluated))
    }
  }

  private var isKeyed: Bool { self == .valueForKeyPath || self == .valueForKey || self == .objectForKey }

  /// The key path that a keyed message has as a constant or, as the parser makes it, as a key path expression.
  private static func constantPath(_ arguments: [NSExpression]) -> String? {
    guard arguments.count == 1 else { return nil }
    return switch arguments[0].node {
    case .keyPath(let path): path
    case .constant(let path as String): path
    default: nil
    }
  }

  private func send(to object: EvaluatedValue, argument: EvaluatedValue) throws -> EvaluatedValue {
    switch (self, object, argument) {
    case (.valueForKeyPath, _, .text(let path)), (.valueForKey, _, .text(let path)),
      (.objectForKey, _, .text(let path)):
      return try KeyPathReader(path).value(from: object)
    case (.isEqual, _, _): return .number(.integer(object.isEqual(to: argument) ? 1 : 0))
    case (.appending, .text(let text), .text(let other)): return .text(text + other)
    case (.hasPrefix, .text(let text), .text(let other)):
      return .number(.integer(try TextMatcher(.beginsWith, pattern: other).matches(text) ? 1 : 0))
    case (.hasSuffix, .text(let text), .text(let other)):
      return .number(.integer(try TextMatcher(.endsWith, pattern: other).matches(text) ? 1 : 0))
    case (.dateByAddingTimeInterval, .date(let date), .number(let seconds)): return .date(date + seconds.double)
    case (.timeIntervalSinceDate, .date(let date), .date(let other)): return .number(.double(date - other))
    default:
      if let elements = object.elements, let result = try send(toElements: elements, argument: argument) {
        return result
      }
      throw PredicateEvaluationError(
        "A value that is \(object.typeName) does not answer \(rawValue) with an argument that is \(argument.typeName)"
      )
    }
  }

  private func send(toElements elements: [Any?], argument: EvaluatedValue) throws -> EvaluatedValue? {
    switch (self, argument) {
    case (.count, _): return .number(.integer(Int64(elements.count)))
    case (.firstObject, _): return EvaluatedValue(elements.first ?? nil)
    case (.lastObject, _): return EvaluatedValue(elements.last ?? nil)
    case (.containsObject, _):
      let contains = elements.contains { EvaluatedValue($0).isEqual(to: argument) }
      return .number(.integer(contains ? 1 : 0))
    case (.objectAtIndex, .number(let number)):
      guard let index = number.truncated, elements.indices.contains(index) else { return .null }
      return EvaluatedValue(elements[index])
    default: return nil
    }
  }
}

/// An object that answers messages of its own in `FUNCTION` expressions, where there is no Objective-C to send them.
package protocol MessageReceiver: AnyObject {
  /// Answers a message.
  ///
  /// - Parameters:
  ///   - selector: the name with its colons.
  ///   - arguments: the values of the arguments; `nil` for null.
  /// - Throws: an error that names the selector when the object does not know it.
  func answer(_ selector: String, _ arguments: [Any?]) throws -> Any?
}
