import CoreData
import Foundation
import Testing

@Suite("Dictionaries as results")
struct DictionaryResultTests {
  /// Notes A to E, rated 1 to 5: A and B are about Swift, C and D about Linux, E about nothing.
  private func library(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    let (swift, linux) = (stack.category("Swift"), stack.category("Linux"))
    for (index, title) in ["A", "B", "C", "D", "E"].enumerated() {
      stack.note(title, rating: Int64(index + 1), [swift, swift, linux, linux, nil][index])
    }
    try stack.save()
    return stack
  }

  private func request(_ properties: [Any]) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.sortDescriptors = [.byTitle]
    request.propertiesToFetch = properties
    return request
  }

  private func computed(_ name: String, _ format: String) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expression = NSExpression(format: format)
    description.expressionResultType = .integer64AttributeType
    return description
  }

  @Test("have key paths, computed values, and IDs for relationships to one", arguments: StoreKind.allCases)
  func columns(kind: StoreKind) throws {
    let stack = try library(kind)
    let rows = try stack.context.fetch(
      request(["title", "category.name", "category", computed("twice", "rating * 2")])
    )
    #expect(rows.map { $0["title"] as? String } == ["A", "B", "C", "D", "E"])
    #expect(rows.map { $0["category.name"] as? String } == ["Swift", "Swift", "Linux", "Linux", nil])
    #expect(rows.map { $0["twice"] as? Int } == [2, 4, 6, 8, 10])
    #expect(rows[0]["category"] is NSManagedObjectID)
    #expect(rows[4].count == 2)
  }

  @Test("of values over all objects are one", arguments: StoreKind.allCases)
  func aggregates(kind: StoreKind) throws {
    let stack = try library(kind)
    let rows = try stack.context.fetch(
      request([
        computed("best", "max:(rating)"), computed("sum", "sum:(rating)"),
        computed("next", "max:(rating) + 1"),
      ])
    )
    #expect(rows == [["best": 5, "sum": 15, "next": 6]])
    let own = try stack.context.fetch(request(["title", computed("tags", "tags.@count")]))
    #expect(own.count == 5)
  }

  @Test("are one for each group, and limits are those of groups", arguments: StoreKind.allCases)
  func groups(kind: StoreKind) throws {
    let stack = try library(kind)
    let grouped = request(["category.name", computed("best", "max:(rating)")])
    grouped.propertiesToGroupBy = ["category.name"]
    #expect(
      try stack.context.fetch(grouped)
        == [["category.name": "Swift", "best": 2], ["category.name": "Linux", "best": 4], ["best": 5]]
    )
    grouped.fetchOffset = 1
    grouped.fetchLimit = 1
    #expect(try stack.context.fetch(grouped) == [["category.name": "Linux", "best": 4]])
  }

  @Test(
    "of groups are those that fulfil the condition",
    arguments: StoreKind.allCases,
    [("best > 2", [4, 5]), ("min:(rating) > 2", [4, 5]), ("category.name == 'Linux'", [4])]
  )
  func having(kind: StoreKind, condition: (format: String, best: [Int])) throws {
    let stack = try library(kind)
    let grouped = request(["category.name", computed("best", "max:(rating)")])
    grouped.propertiesToGroupBy = ["category.name"]
    grouped.havingPredicate = NSPredicate(format: condition.format)
    #expect(try stack.context.fetch(grouped).map { $0["best"] as? Int } == condition.best)
  }

  @Test("come once when they are to be distinct", arguments: StoreKind.allCases)
  func distinct(kind: StoreKind) throws {
    let stack = try library(kind)
    let names = request(["category.name"])
    #expect(try stack.context.fetch(names).count == 5)
    names.returnsDistinctResults = true
    names.fetchLimit = 2
    #expect(try stack.context.fetch(names) == [["category.name": "Swift"], ["category.name": "Linux"]])
    let copy = try #require(names.copy() as? NSFetchRequest<NSDictionary>)
    #expect(try stack.context.fetch(copy).count == 2)
  }

  @Test("that make no sense are errors that say why", arguments: StoreKind.allCases)
  func errors(kind: StoreKind) throws {
    let stack = try library(kind)
    func message(_ change: (NSFetchRequest<NSDictionary>) -> Void) -> String {
      let request = request(["title"])
      change(request)
      do {
        _ = try stack.context.fetch(request)
        return ""
      } catch {
        return (error as NSError).localizedDescription
      }
    }
    #expect(message { $0.propertiesToFetch = ["colour"] }.contains("names colour"))
    #expect(message { $0.propertiesToFetch = ["tags.name"] }.contains("names tags.name"))
    #expect(
      message { $0.propertiesToGroupBy = ["rating"] }.contains(
        "fetches title, which is not in propertiesToGroupBy"
      )
    )
    #expect(
      message { $0.havingPredicate = NSPredicate(value: true) }.contains("nothing in propertiesToGroupBy")
    )
    let empty = NSExpressionDescription()
    empty.name = "empty"
    #expect(message { $0.propertiesToFetch = [empty] }.contains("computes empty, which has no expression"))
  }
}
