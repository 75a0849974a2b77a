import CoreData
import Foundation
import TestModels
import Testing

@testable import CoreData

@Suite("Comparisons of transformable attributes")
struct TransformableComparisonTests {
  private static let model: NSManagedObjectModel = {
    let model = NSManagedObjectModel()
    let thing = makeEntity("Thing", makeAttribute("number", .integer64AttributeType))
    let group = makeEntity("Group", makeAttribute("name"))
    for name in ["value", "other"] {
      thing.properties.append(makeAttribute(name, .transformableAttributeType))
    }
    let (things, owner) = (
      makeRelationship("things", to: thing, toMany: true), makeRelationship("group", to: group)
    )
    connect(things, owner)
    group.properties.append(things)
    thing.properties.append(owner)
    model.entities = [thing, group]
    return model
  }()

  private static var values: [Any?] {
    [
      ["a"], ["a", "b"], 7, "text", ["k": 1, "l": ["x"]] as [String: Any], Set([1, 2]),
      Date(timeIntervalSinceReferenceDate: 60), nil,
    ]
  }

  /// A thing for each of the values, numbered by the value's index. If the number is even, its other value is equal.
  private func stack(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind, model: Self.model)
    let groups = ["g", "h"].map { name in
      let group = NSEntityDescription.insertNewObject(forEntityName: "Group", into: stack.context)
      group.setValue(name, forKey: "name")
      return group
    }
    for (number, value) in Self.values.enumerated() {
      let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
      thing.setValue(number, forKey: "number")
      thing.setValue(value, forKey: "value")
      thing.setValue(number.isMultiple(of: 2) ? value : "another", forKey: "other")
      thing.setValue(groups[number % 2], forKey: "group")
    }
    try stack.save()
    return stack
  }

  private func request(_ format: String, _ arguments: [Any?] = []) throws -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    request.predicate = try NSPredicate(parsing: format, arguments: arguments)
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return request
  }

  private func numbers(_ found: [NSManagedObject]) -> [Int] {
    found.compactMap { $0.value(forKey: "number") as? Int }
  }

  @Test("comparisons of transformables find equal values in every store", arguments: StoreKind.allCases)
  func equality(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    for context in [stack.context, stack.newContext()] {
      for (number, value) in Self.values.enumerated() {
        let request = try request("value == %@", [value])
        #expect(numbers(try context.fetch(request)) == [number], "\(value ?? "nil")")
        #expect(try context.count(for: request) == 1)
      }
    }
    for (value, expected) in [(["b", "a"], []), (["a"], [0])] as [([String], [Int])] {
      #expect(numbers(try stack.newContext().fetch(try request("value == %@", [value]))) == expected)
    }
  }

  @Test(
    "comparisons of transformables support lists, inequality, two attributes and further conditions",
    arguments: StoreKind.allCases
  )
  func conditions(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let cases: [(String, [Any?], [Int])] = [
      ("value IN %@", [[["a"], 7, "none"] as [Any]], [0, 2]),
      ("value != %@ AND value != nil", [["a"]], [1, 2, 3, 4, 5, 6]),
      ("value == other AND value != nil", [], [0, 2, 4, 6]),
      ("value == %@ AND number > 1", [["a"]], []),
      ("value == %@ OR number == 5", [["a"]], [0, 5]),
      ("ANY group.things.value == %@", ["text"], [1, 3, 5, 7]),
      ("SUBQUERY(group.things, $t, $t.value == %@).@count == 1 AND number < 3", [7], [0, 2]),
      ("value == %@ AND group.name == 'h'", ["text"], [3]),
    ]
    for (format, arguments, expected) in cases {
      #expect(numbers(try stack.newContext().fetch(try request(format, arguments))) == expected, "\(format)")
    }
  }

  @Test("comparisons of transformables work with sorting and limits", arguments: StoreKind.allCases)
  func forms(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = try request("value != %@ AND value != nil", ["text"])
    (request.fetchLimit, request.fetchOffset) = (2, 1)
    #expect(numbers(try stack.newContext().fetch(request)) == [1, 2])
    #expect(try stack.newContext().count(for: request) == 2)
    let total = AggregateRequest(properties: [AggregateRequest.column("total", "sum:(number)")]).request(
      "Thing"
    )
    total.predicate = request.predicate
    #expect(try stack.newContext().fetch(total) == [["total": 18]])
  }

  @Test("batch requests can compare transformable attributes", arguments: StoreKind.takingBatches)
  func batches(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let context = stack.newContext()
    let update = NSBatchUpdateRequest(entityName: "Thing")
    update.predicate = NSPredicate(format: "value == %@ AND number < 5", ["a", "b"])
    update.propertiesToUpdate = ["number": 100]
    update.resultType = .updatedObjectsCountResultType
    let updated = try #require(try context.execute(update) as? NSBatchUpdateResult)
    #expect(updated.result as? Int == 1)
    let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Thing")
    fetch.predicate = NSPredicate(format: "value IN %@", [7, "text"] as [Any])
    let deletion = NSBatchDeleteRequest(fetchRequest: fetch)
    deletion.resultType = .resultTypeCount
    let deleted = try #require(try context.execute(deletion) as? NSBatchDeleteResult)
    #expect(deleted.result as? Int == 2)
    let rest = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    #expect(numbers(try stack.newContext().fetch(rest)).sorted() == [0, 4, 5, 6, 7, 100])
  }

  @Test("the database still evaluates the other conditions of a transformable comparison")
  func statements() throws {
    let stack = try Stack(.sqlite, model: Self.model, recording: [.bindings])
    let request = try request("value == %@ AND number > 4", [["a"]])
    let sql = try stack.executed { _ = try stack.context.fetch(request) }
    #expect(sql.map(\.bindings) == [[.integer(4)]])
    #expect(sql.first?.sql.hasSuffix("FROM ZTHING t0 WHERE t0.ZNUMBER > ? ORDER BY t0.ZNUMBER") == true)
    let missing = try stack.executed { _ = try stack.context.fetch(try self.request("value == nil")) }
    #expect(
      missing.first?.sql.hasSuffix("FROM ZTHING t0 WHERE t0.ZVALUE IS NULL ORDER BY t0.ZNUMBER") == true
    )
  }
}
