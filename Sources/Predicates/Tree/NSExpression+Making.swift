public import Foundation

extension NSExpression {
  /// An expression that always has this value.
  ///
  /// - Parameter obj: a number, string, date, collection or any other object; `nil` is the format language's `NULL`.
  public convenience init(forConstantValue obj: Any?) { self.init(node: .constant(unwrapped(obj))) }

  /// The object that is evaluated: `SELF`.
  ///
  /// ```swift
  /// let chosen = [notes[0], notes[2]]
  /// let isChosen = NSPredicate(format: "SELF IN %@", chosen)
  /// ```
  public class func expressionForEvaluatedObject() -> NSExpression { NSExpression(node: .evaluatedObject) }

  /// Any key (`ANYKEY`); only Spotlight queries can be asked with it.
  public class func expressionForAnyKey() -> NSExpression { NSExpression(node: .anyKey) }

  /// A value that is looked up among the substitution variables.
  ///
  /// - Parameter string: the name without its `$`.
  public convenience init(forVariable string: String) { self.init(node: .variable(string)) }

  /// The value of a key path of the evaluated object, such as `category.name` or `tags.@count`.
  public convenience init(forKeyPath keyPath: String) { self.init(node: .keyPath(keyPath)) }

  /// The value of a key path of the evaluated object, by Swift key path.
  ///
  /// A key path whose names cannot be found is a programmer's error and stops the program.
  ///
  /// ```swift
  /// let title = NSExpression(forKeyPath: \Note.title)
  /// print(title.keyPath)  // title
  /// ```
  public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
    self.init(node: .keyPath(KeyPathNames.requiredName(of: keyPath)))
  }

  /// A call of one of the predefined functions, such as `sum:` or `from:subtract:`.
  ///
  /// A name that Apple's documentation of `init(forFunction:arguments:)` does not list, or another
  /// number of arguments than the function has, is a programmer's error and stops the program.
  ///
  /// ```swift
  /// let ratings = NSExpression(forKeyPath: "notes.rating")
  /// let average = NSExpression(forFunction: "average:", arguments: [ratings])
  /// let rating = average.expressionValue(with: note.author, context: nil) as? Double
  /// print(rating ?? 0)  // 4.0
  /// ```
  ///
  /// - Parameters:
  ///   - name: the function's name with its colons.
  ///   - parameters: expressions; any other value is taken as a constant.
  public convenience init(forFunction name: String, arguments parameters: [Any]) {
    let function: PredicateFunction
    do {
      function = try PredicateFunction.named(name, argumentCount: parameters.count)
    } catch {
      fatalError("NSExpression(forFunction:arguments:): \(error.message)")
    }
    self.init(node: .function(function.name, operand: nil, arguments: parameters.map(NSExpression.expression(for:))))
  }

  /// A message to the value of another expression, such as `valueForKeyPath:`.
  ///
  /// There is no Objective-C here: the evaluator answers the selectors that `MessageFunction` lists
  /// and throws for any other.
  public convenience init(forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?) {
    self.init(node: .function(name, operand: target, arguments: (parameters ?? []).map(NSExpression.expression(for:))))
  }

  /// A list of expressions: `{1, 2, price}`.
  ///
  /// - Parameter subexpressions: expressions; any other value is taken as a constant.
  public convenience init(forAggregate subexpressions: [Any]) {
    self.init(node: .aggregate(subexpressions.map(NSExpression.expression(for:))))
  }

  /// The elements that are in `left` or in `right`.
  public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init(node: .set(.union, left, right))
  }

  /// The elements that are both in `left` and in `right`.
  public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init(node: .set(.intersect, left, right))
  }

  /// The elements of `left` that are not in `right`.
  public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
    self.init(node: .set(.minus, left, right))
  }

  /// The elements of a collection that match a predicate: `SUBQUERY(tags, $tag, $tag.name == "a")`.
  ///
  /// ```swift
  /// let good = NSExpression(
  ///   forSubquery: NSExpression(forKeyPath: "notes"),
  ///   usingIteratorVariable: "note",
  ///   predicate: NSPredicate(format: "$note.rating > 2")
  /// )
  /// print(good)  // SUBQUERY(notes, $note, $note.rating > 2)
  /// let busy = NSPredicate(format: "SUBQUERY(notes, $note, $note.rating > 2).@count >= 2")
  /// ```
  ///
  /// - Parameters:
  ///   - expression: the collection.
  ///   - variable: the name, without `$`, by which the predicate knows the element.
  ///   - predicate: the condition that the element has to match.
  public convenience init(
    forSubquery expression: NSExpression,
    usingIteratorVariable variable: String,
    predicate: NSPredicate
  ) {
    self.init(node: .subquery(collection: expression, variable: variable, predicate: predicate))
  }

  /// One of two expressions: `TERNARY(predicate, trueExpression, falseExpression)`.
  ///
  /// ```swift
  /// let mark = NSExpression(
  ///   forConditional: NSPredicate(format: "isPinned == YES"),
  ///   trueExpression: NSExpression(forConstantValue: "📌"),
  ///   falseExpression: NSExpression(forConstantValue: "")
  /// )
  /// let text = mark.expressionValue(with: note, context: nil) as? String
  /// ```
  public convenience init(
    forConditional predicate: NSPredicate,
    trueExpression: NSExpression,
    falseExpression: NSExpression
  ) {
    self.init(node: .conditional(predicate, trueExpression, falseExpression))
  }

  /// The result of a closure. Such an expression has no text and cannot be translated to SQL.
  public convenience init(block: @escaping Block, arguments: [NSExpression]?) {
    self.init(node: .block(block, arguments ?? []))
  }

  /// The expression itself, or the constant.
  static func expression(for value: Any) -> NSExpression {
    (value as? NSExpression) ?? NSExpression(forConstantValue: value)
  }
}
