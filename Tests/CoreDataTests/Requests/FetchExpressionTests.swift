import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Fetches inside of predicates")
struct FetchExpressionTests {
  /// Six saved notes, rated 0 to 5, and a request for the notes rated above 3.
  private func stack(_ kind: StoreKind) throws -> (stack: Stack, high: NSFetchRequest<Note>) {
    let stack = try Stack(kind)
    for number in 0..<6 { stack.note("\(number)", rating: Int64(number)) }
    try stack.save()
    let high = NSFetchRequest<Note>(entityName: "Note")
    high.predicate = NSPredicate(format: "rating > 3")
    high.sortDescriptors = [.byTitle]
    return (stack, high)
  }

  private func notes(_ predicate: NSPredicate) -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = predicate
    request.sortDescriptors = [.byTitle]
    return request
  }

  @Test("a fetch in a predicate finds the inner results in any store", arguments: StoreKind.allCases)
  func objects(_ kind: StoreKind) throws {
    let (stack, high) = try stack(kind)
    let request = notes(NSPredicate(format: "SELF IN FETCH(%@, %@, NO)", high, stack.context))
    #expect(try stack.context.fetch(request).map(\.title) == ["4", "5"])
    #expect(try stack.context.count(for: request) == 2)
    request.predicate = NSPredicate(format: "NOT SELF IN FETCH(%@, %@, NO)", high, stack.context)
    #expect(try stack.context.fetch(request).map(\.title) == ["0", "1", "2", "3"])
  }

  @Test("a fetch in a predicate can compare with the inner count", arguments: StoreKind.allCases)
  func counts(_ kind: StoreKind) throws {
    let (stack, high) = try stack(kind)
    let expression = NSFetchRequestExpression.expression(
      forFetch: NSExpression(forConstantValue: high),
      context: NSExpression(forConstantValue: stack.context),
      countOnly: true
    )
    #expect(expression.expressionValue(with: nil, context: nil) as? Int == 2)
    let request = notes(NSPredicate(format: "rating == %@", expression))
    #expect(try stack.context.fetch(request).map(\.title) == ["2"])
  }

  @Test("a fetch in a predicate includes unsaved changes as the inner request says")
  func unsaved() throws {
    let (stack, high) = try stack(.sqlite)
    stack.note("6", rating: 6)
    let request = notes(NSPredicate(format: "SELF IN FETCH(%@, %@, NO)", high, stack.context))
    #expect(try stack.context.fetch(request).map(\.title) == ["4", "5", "6"])
    high.includesPendingChanges = false
    #expect(try stack.context.fetch(request).map(\.title) == ["4", "5"])
  }

  @Test("fetches in predicates can be nested")
  func nested() throws {
    let (stack, high) = try stack(.sqlite)
    let lowest = notes(
      NSPredicate(format: "SELF IN FETCH(%@, %@, NO) AND rating < 5", high, stack.context)
    )
    let request = notes(NSPredicate(format: "NOT SELF IN FETCH(%@, %@, NO)", lowest, stack.context))
    #expect(try stack.context.fetch(request).map(\.title) == ["0", "1", "2", "3", "5"])
  }

  @Test("fetches in predicates select the objects of batch requests")
  func batches() throws {
    let (stack, high) = try stack(.sqlite)
    let update = NSBatchUpdateRequest(entityName: "Note")
    update.predicate = NSPredicate(format: "SELF IN FETCH(%@, %@, NO)", high, stack.context)
    update.propertiesToUpdate = ["rating": 9]
    try stack.context.execute(update)
    #expect(try stack.context.count(for: notes(NSPredicate(format: "rating == 9"))) == 2)
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    request.predicate = update.predicate
    try stack.context.execute(NSBatchDeleteRequest(fetchRequest: request))
    #expect(try stack.context.count(for: notes(NSPredicate(format: "TRUEPREDICATE"))) == 4)
  }

  @Test(
    "a fetch in a predicate that contains itself, or has no valid request, is an error",
    arguments: StoreKind.storesAndChildren
  )
  func failures(_ kind: StoreKind) throws {
    let (stack, high) = try stack(kind)
    high.predicate = NSPredicate(format: "SELF IN FETCH(%@, %@, NO)", high, stack.context)
    let endless = #expect(throws: NSError.self) { try stack.context.fetch(high) }
    #expect(endless?.localizedDescription.contains("nested more than 16 deep") == true)
    // The request retains itself through its predicate.
    high.predicate = nil
    let request = notes(NSPredicate(format: "SELF IN FETCH(%@, %@, NO)", "no request", stack.context))
    let error = #expect(throws: NSError.self) { try stack.context.fetch(request) }
    #expect(
      error?.localizedDescription == "The first part of FETCH should be a fetch request, and is no request"
    )
  }

  @Test("inner fetches that depend on the object run in memory, and SQLite refuses them")
  func differing() throws {
    let predicate = NSPredicate(
      format: "FETCH(%@, $context, YES) > rating",
      NSExpression(block: { _, _, _ in self.notes(NSPredicate(format: "TRUEPREDICATE")) }, arguments: [])
    )
    let (memory, _) = try stack(.inMemory)
    let found = try memory.context.fetch(
      notes(predicate.withSubstitutionVariables(["context": memory.context]))
    )
    #expect(found.count == 6)
    let (sqlite, _) = try stack(.sqlite)
    #expect {
      try sqlite.context.fetch(
        notes(predicate.withSubstitutionVariables(["context": sqlite.context]))
      )
    } throws: {
      $0.localizedDescription.contains("it can only be evaluated in memory")
    }
  }
}
