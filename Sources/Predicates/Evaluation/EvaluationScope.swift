import Foundation

/// What an evaluation looks values up in: the object, and the variables.
struct EvaluationScope {
  /// The element that a subquery has arrived at.
  final class Element {
    let name: String
    var value: EvaluatedValue
    let outer: Element?

    init(name: String, outer: Element?) {
      self.name = name
      self.outer = outer
      value = .null
    }
  }

  let object: Any?
  /// The object, when it has keys of its own; found once, because the cast costs more than a look-up.
  let coding: (any KeyValueCoding)?
  let variables: [String: Any]?
  var element: Element?

  init(object: Any?, variables: [String: Any]?) {
    self.object = object
    self.variables = variables
    coding = object as? any KeyValueCoding
  }

  init(coding: any KeyValueCoding, variables: [String: Any]?) {
    object = coding
    self.coding = coding
    self.variables = variables
  }

  /// The variables in the form that Apple's interfaces pass them in.
  var variablesAsDictionary: NSMutableDictionary? {
    variables.map { NSMutableDictionary(dictionary: $0) }
  }

  func value(ofVariable name: String) throws -> EvaluatedValue {
    var element = element
    while let present = element {
      if present.name == name { return present.value }
      element = present.outer
    }
    guard let value = variables?[name] else {
      throw PredicateEvaluationError("The variable $\(name) has no value")
    }
    return EvaluatedValue(value)
  }
}

/// A compiled expression.
typealias ValueClosure = (borrowing EvaluationScope) throws -> EvaluatedValue

/// A compiled predicate.
typealias TestClosure = (borrowing EvaluationScope) throws -> Bool
