import CoreData
import Foundation
import Testing

/// The names in a fetch outside of its predicate and its order, which `InjectionTests` covers.
@Suite("SQL in names of computed, grouped and followed properties of a fetch")
struct NameInjectionTests {
  private func stack(_ kind: StoreKind, _ model: NSManagedObjectModel = TestModel.shared) throws -> Stack {
    let stack = try Stack(kind, model: model)
    stack.note("one", tags: [stack.tag("t")])
    stack.note("two")
    try stack.save()
    return stack
  }

  private func dictionaries() -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    return request
  }

  private func requireUntouched(_ stack: Stack, _ attempt: String) throws {
    let context = stack.newContext()
    let titles = try stack.fetch(Note.self, in: context).compactMap(\.title).sorted()
    #expect(titles == ["one", "two"], "\(attempt)")
    #expect(try stack.fetch(Tag.self, in: context).map(\.name) == ["t"], "\(attempt)")
  }

  @Test("an entity of that name is unknown", arguments: StoreKind.inSQL, InjectionTests.attempts)
  func entityName(_ kind: StoreKind, _ attempt: String) throws {
    let stack = try stack(kind)
    let request = NSFetchRequest<NSManagedObject>(entityName: attempt)
    #expect(throws: (any Error).self) { try stack.newContext().fetch(request) }
    #expect(throws: (any Error).self) { try stack.newContext().count(for: request) }
    try requireUntouched(stack, attempt)
  }

  @Test(
    "a property of that name is unknown, fetched, grouped by or followed",
    arguments: StoreKind.inSQL,
    InjectionTests.attempts
  )
  func properties(_ kind: StoreKind, _ attempt: String) throws {
    let stack = try stack(kind)
    for name in [attempt, "category.\(attempt)"] {
      let fetched = dictionaries()
      fetched.propertiesToFetch = [name]
      #expect(throws: (any Error).self, "\(name)") { try stack.newContext().fetch(fetched) }
      let grouped = dictionaries()
      grouped.propertiesToFetch = [name]
      grouped.propertiesToGroupBy = [name]
      #expect(throws: (any Error).self, "\(name)") { try stack.newContext().fetch(grouped) }
      let prefetched = NSFetchRequest<Note>(entityName: "Note")
      prefetched.relationshipKeyPathsForPrefetching = [name]
      #expect(throws: (any Error).self, "\(name)") { try stack.newContext().fetch(prefetched) }
    }
    try requireUntouched(stack, attempt)
  }

  @Test(
    "a column of that name is a key of the dictionaries",
    arguments: StoreKind.inSQL,
    InjectionTests.attempts
  )
  func expressionName(_ kind: StoreKind, _ attempt: String) throws {
    let stack = try stack(kind)
    let column = NSExpressionDescription()
    column.name = attempt
    column.expression = NSExpression(forKeyPath: "title")
    column.expressionResultType = .stringAttributeType
    let request = dictionaries()
    request.propertiesToFetch = [column]
    request.propertiesToGroupBy = [column]
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    let rows = try stack.newContext().fetch(request)
    #expect(rows.map { $0[attempt] as? String } == ["one", "two"])
    try requireUntouched(stack, attempt)
  }

  @Test("a variable of that name is unknown", arguments: StoreKind.inSQL, InjectionTests.attempts)
  func variables(_ kind: StoreKind, _ attempt: String) throws {
    let stack = try stack(kind)
    let key = NSExpression(forKeyPath: "title")
    for expression in [
      NSExpression(forVariable: attempt),
      NSExpression(forSubquery: key, usingIteratorVariable: attempt, predicate: NSPredicate(value: true)),
    ] {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSComparisonPredicate(
        leftExpression: expression,
        rightExpression: NSExpression(forConstantValue: "x"),
        modifier: .direct,
        type: .equalTo
      )
      #expect(throws: (any Error).self, "\(expression)") { try stack.newContext().fetch(request) }
    }
    try requireUntouched(stack, attempt)
  }

  @Test(
    "a condition on groups that has it in a key or a text finds none",
    arguments: StoreKind.inSQL,
    InjectionTests.attempts
  )
  func having(_ kind: StoreKind, _ attempt: String) throws {
    let stack = try stack(kind)
    for (key, text) in [("title", attempt), (attempt, "one")] {
      let request = dictionaries()
      request.propertiesToFetch = ["title"]
      request.propertiesToGroupBy = ["title"]
      request.havingPredicate = NSComparisonPredicate(
        leftExpression: NSExpression(forKeyPath: key),
        rightExpression: NSExpression(forConstantValue: text),
        modifier: .direct,
        type: .equalTo
      )
      // A missing key may cause an error.
      if let rows = try? stack.newContext().fetch(request) { #expect(rows.isEmpty, "\(key) \(text)") }
    }
    try requireUntouched(stack, attempt)
  }

  @Test(
    "a template and its variables take it for a name and a text",
    arguments: StoreKind.inSQL,
    InjectionTests.attempts
  )
  func templates(_ kind: StoreKind, _ attempt: String) throws {
    let model = TestModel.make()
    let template = NSFetchRequest<NSFetchRequestResult>(entityName: "Note")
    template.predicate = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "title"),
      rightExpression: NSExpression(forVariable: attempt),
      modifier: .direct,
      type: .equalTo
    )
    model.setFetchRequestTemplate(template, forName: attempt)
    let stack = try stack(kind, model)
    for (text, count) in [("one", 1), (attempt, 0)] {
      let request = try #require(
        model.fetchRequestFromTemplate(withName: attempt, substitutionVariables: [attempt: text])
      )
      #expect(try stack.newContext().fetch(request).count == count, "\(text)")
    }
    try requireUntouched(stack, attempt)
  }
}
