import Foundation
import Predicates
import Testing

@Suite("Expressions are made and taken apart as Apple documents")
struct ExpressionTests {
  @Test("each initialiser makes its type, with its parts")
  func initialisers() {
    let (a, b) = (NSExpression(forKeyPath: "a"), NSExpression(forConstantValue: 2))
    #expect(a.expressionType == .keyPath && a.keyPath == "a" && a.operand == .expressionForEvaluatedObject())
    #expect(b.expressionType == .constantValue && b.constantValue as? Int == 2)
    #expect(NSExpression.expressionForEvaluatedObject().expressionType == .evaluatedObject)
    #expect(NSExpression.expressionForAnyKey().expressionType == .anyKey)
    #expect(NSExpression(expressionType: .evaluatedObject) == .expressionForEvaluatedObject())
    #expect(NSExpression(forVariable: "x").variable == "x")
    let aggregate = NSExpression(forAggregate: [a, 2, "c"])
    #expect(aggregate.collection as? [NSExpression] == [a, b, NSExpression(forConstantValue: "c")])
    let union = NSExpression(forUnionSet: a, with: b)
    #expect(union.expressionType == .unionSet && union.left == a && union.right == b)
    #expect(NSExpression(forIntersectSet: a, with: b).expressionType == .intersectSet)
    #expect(NSExpression(forMinusSet: a, with: b).expressionType == .minusSet)
    let function = NSExpression(forFunction: "add:to:", arguments: [a, 2])
    #expect(function == NSExpression(format: "a + 2"))
    #expect(function.operand == .expressionForEvaluatedObject())
    let message = NSExpression(forFunction: a, selectorName: "uppercaseString", arguments: nil)
    #expect(message.function == "uppercaseString" && message.operand == a && message.arguments == [])
    let condition = NSPredicate(format: "a > 1")
    let conditional = NSExpression(forConditional: condition, trueExpression: a, falseExpression: b)
    #expect(conditional.predicate == condition && conditional.true == a && conditional.false == b)
    let subquery = NSExpression(forSubquery: a, usingIteratorVariable: "x", predicate: condition)
    #expect(
      subquery.variable == "x" && subquery.predicate == condition && subquery.collection as? NSExpression == a
    )
  }

  @Test("the raw values of the types are Apple's")
  func rawValues() {
    typealias Kind = NSExpression.ExpressionType
    let kinds: [Kind] = [
      .constantValue, .evaluatedObject, .variable, .keyPath, .function, .unionSet, .intersectSet, .minusSet,
      .subquery,
      .aggregate, .anyKey, .block, .conditional, .fetchRequest,
    ]
    #expect(kinds.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 19, 20, 50])
    #expect(NSComparisonPredicate.Operator.contains.rawValue == 99)
    #expect(NSComparisonPredicate.Operator.between.rawValue == 100)
    #expect(NSComparisonPredicate.Operator.in.rawValue == 10)
  }

  @Test("a block expression is given the object, the values and the variables")
  func blocks() throws {
    let block = NSExpression(
      block: { object, values, context in "\(object ?? "")\(values)\(context?["x"] ?? "")" },
      arguments: [NSExpression(format: "1 + 1")]
    )
    #expect(block.expressionType == .block)
    #expect(block.arguments == [NSExpression(format: "1 + 1")])
    #expect(block.expressionValue(with: "o", context: ["x": "y"]) as? String == "o[2]y")
    let predicate = NSComparisonPredicate(
      leftExpression: block,
      rightExpression: NSExpression(forConstantValue: "o[2]y"),
      modifier: .direct,
      type: .equalTo
    )
    #expect(predicate.evaluate(with: "o", substitutionVariables: ["x": "y"]))
  }

  @Test("a subclass with its own value takes part")
  func subclasses() throws {
    final class Seven: NSExpression {
      init() { super.init(expressionType: .fetchRequest) }
      override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? { 7 }
    }
    let seven = Seven()
    #expect(seven.expressionType == .fetchRequest)
    #expect(try ExpressionEvaluator(NSExpression(format: "%@ + 1", seven))(nil) as? Int == 8)
  }

  @Test("a key path that begins with a dollar sign begins at the variable, as some libraries write it")
  func dollarKeyPath() throws {
    let predicate = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "$x.name"),
      rightExpression: NSExpression(forConstantValue: "a"),
      modifier: .direct,
      type: .equalTo
    )
    let subquery = NSExpression(
      forSubquery: NSExpression(forKeyPath: "tags"),
      usingIteratorVariable: "x",
      predicate: predicate
    )
    #expect("\(subquery)" == #"SUBQUERY(tags, $x, $x.name == "a")"#)
    let object = ["tags": [["name": "a"], ["name": "b"]]]
    #expect((subquery.expressionValue(with: object, context: nil) as? [Any])?.count == 1)
  }

  @Test("the substitution of variables reaches every part of a tree")
  func substitution() {
    let predicate = NSPredicate(
      format: """
        a == $x AND ANY {$x, b} IN sum($x, 1)[$x] OR NOT SUBQUERY($y, $x, $x.n == $y).@count > $x + 1
        OR TERNARY($x == 1, $x, 2) == $z UNION $x
        """
    )
    let replaced = predicate.withSubstitutionVariables(["x": 5, "y": NSExpression(forKeyPath: "k")])
    #expect(
      replaced.printedFormat == """
        (a == 5 AND ANY {5, b} IN sum:(5, 1)[5]) OR NOT SUBQUERY(k, $x, $x.n == k).@count > 5 + 1 \
        OR TERNARY(5 == 1, 5, 2) == $z UNION 5
        """
    )
    #expect(predicate.printedFormat.contains("$x"))
  }

  @Test("TRUE and calculated values are numbers that cast to Swift's types")
  func numbers() {
    for (text, number) in [("TRUE", 1), ("NO", 0), ("1 + 2", 3)] {
      let expression = NSExpression(format: text)
      let value = expression.expressionValue(with: nil, context: nil)
      #expect(value is NSNumber)
      #expect(value as? Int == number && value as? Double == Double(number))
    }
    #expect(NSExpression(format: "TRUE").constantValue as? Bool == true)
    #expect(NSExpression(format: "TRUE").constantValue as? Int == 1)
  }
}
