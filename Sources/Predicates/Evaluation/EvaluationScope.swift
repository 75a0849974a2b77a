import Foundation

/// The object and the variables in which an evaluation looks values up.
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

  /// The object that is evaluated.
  enum Root {
    /// An object with keys of its own; found once, because the cast costs more than a look-up.
    case coding(any KeyValueCoding)
    case other(Any?)
  }

  let root: Root
  let variables: [String: Any]?
  let nulls: NullRule
  var element: Element?

  init(object: Any?, variables: [String: Any]?, nulls: NullRule = .asInMemory) {
    if let coding = object as? any KeyValueCoding {
      root = .coding(coding)
    } else {
      root = .other(object)
    }
    self.variables = variables
    self.nulls = nulls
  }

  init(coding: any KeyValueCoding, variables: [String: Any]?, nulls: NullRule = .asInMemory) {
    root = .coding(coding)
    self.variables = variables
    self.nulls = nulls
  }

  var object: Any? {
    switch root {
    case .coding(let coding): coding
    case .other(let object): object
    }
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
    guard let value = variables?[name] else { throw PredicateEvaluationError("The variable $\(name) has no value") }
    return EvaluatedValue(value)
  }
}

/// A compiled expression.
typealias ValueClosure = (borrowing EvaluationScope) throws -> EvaluatedValue

/// A compiled predicate.
typealias TestClosure = (borrowing EvaluationScope) throws -> Bool
