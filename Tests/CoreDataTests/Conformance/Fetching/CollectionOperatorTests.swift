import CoreData
import Foundation
import Testing

@Suite("Collection operators of dictionary fetches")
struct CollectionOperatorTests {
  /// Four notes, one of which has neither a category nor a ratio.
  private func stack(_ kind: StoreKind, isSaved: Bool = true) throws -> Stack {
    let stack = try Stack(kind)
    let (food, fun) = (stack.category("food"), stack.category("fun"))
    let tags = ["t", "u", "v"].map(stack.tag)
    let notes = [
      stack.note("a", rating: 1, food, tags: [tags[0], tags[1]]),
      stack.note("b", rating: 2, food, tags: [tags[0]]),
      stack.note("a", rating: 4, fun), stack.note("c", rating: 5),
    ]
    for (index, note) in notes.enumerated() {
      note.createdAt = Date(timeIntervalSinceReferenceDate: Double(index) * 60)
      note.setValue(NSDecimalNumber(string: "0.\(index + 1)"), forKey: "price")
      if index < 3 { note.setValue(Double(index) + 0.5, forKey: "ratio") }
      for number in 0..<index {
        let page = Page(context: stack.context)
        (page.number, page.note) = (Int16(number + index), note)
      }
    }
    if isSaved { try stack.save() }
    return stack
  }

  /// A column for a key path, declared as programs do.
  private func column(_ keyPath: String, _ type: NSAttributeType = .undefinedAttributeType)
    -> NSExpressionDescription
  {
    let column = NSExpressionDescription()
    column.name = keyPath
    column.expression = NSExpression(forKeyPath: keyPath)
    column.expressionResultType = type
    return column
  }

  @Test("a collection operator has one result for all objects", arguments: StoreKind.allCases, [true, false])
  func all(_ kind: StoreKind, _ isSaved: Bool) throws {
    let stack = try stack(kind, isSaved: isSaved)
    let request = AggregateRequest(
      properties: [
        column("@sum.rating", .integer64AttributeType), column("@avg.rating", .doubleAttributeType),
        column("@min.rating"), column("@max.rating"), column("@sum.ratio"), column("@avg.ratio"),
        column("@min.title"), column("@max.category.name"), column("@count"),
      ]
    )
    let found = try stack.context.fetch(request.request())
    #expect(
      found == [
        [
          "@sum.rating": 12, "@avg.rating": 3.0, "@min.rating": 1, "@max.rating": 5, "@sum.ratio": 4.5,
          "@avg.ratio": 1.5, "@min.title": "a", "@max.category.name": "fun", "@count": 4,
        ]
      ]
    )
  }

  @Test("collection operators can return dates and decimals", arguments: StoreKind.allCases, [true, false])
  func types(_ kind: StoreKind, _ isSaved: Bool) throws {
    let stack = try stack(kind, isSaved: isSaved)
    let request = AggregateRequest(
      properties: [column("@max.createdAt", .dateAttributeType), column("@sum.price", .decimalAttributeType)]
    )
    let found = try #require(try stack.context.fetch(request.request()).first)
    #expect(found["@max.createdAt"] as? Date == Date(timeIntervalSinceReferenceDate: 180))
    #expect(found["@sum.price"] as? NSDecimalNumber == NSDecimalNumber(string: "1"))
  }

  @Test("collection operators count the objects that match a predicate", arguments: StoreKind.allCases)
  func predicate(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = AggregateRequest(
      properties: [column("@sum.rating"), column("@count")],
      predicate: "category.name == 'food'"
    )
    #expect(try stack.context.fetch(request.request()) == [["@sum.rating": 3, "@count": 2]])
  }

  @Test(
    "collection operators have a result for each group, which can filter and sort the groups",
    arguments: StoreKind.allCases,
    [true, false]
  )
  func groups(_ kind: StoreKind, _ isSaved: Bool) throws {
    let stack = try stack(kind, isSaved: isSaved)
    let request = AggregateRequest(
      properties: ["title", column("@sum.rating"), column("@count")],
      groupBy: ["title"],
      sort: [NSSortDescriptor(key: "@sum.rating", ascending: false), .byTitle]
    ).request()
    let rows: [NSDictionary] = [
      ["title": "a", "@sum.rating": 5, "@count": 2], ["title": "c", "@sum.rating": 5, "@count": 1],
      ["title": "b", "@sum.rating": 2, "@count": 1],
    ]
    #expect(try stack.context.fetch(request) == rows)
    for (having, expected) in [
      ("@sum.rating > 4", [rows[0], rows[1]]), ("@count > 1", [rows[0]]),
      ("NOT @max.rating >= 4", [rows[2]]), ("@sum.rating - @count == 4", [rows[1]]),
      ("@avg.ratio == nil", [rows[1]]),
    ] {
      request.havingPredicate = NSPredicate(format: having)
      #expect(try stack.context.fetch(request) == expected, "\(having)")
    }
  }

  @Test("collection operators can be part of calculations", arguments: StoreKind.allCases)
  func calculations(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = AggregateRequest(
      properties: [
        AggregateRequest.column("span", "@max.rating - @min.rating"),
        AggregateRequest.column("double", "@sum.rating * 2"), AggregateRequest.column("plain", "@sum.rating"),
      ]
    )
    #expect(try stack.context.fetch(request.request()) == [["span": 4, "double": 24, "plain": 12]])
  }

  @Test("collection operators follow to-many relationships and nest", arguments: StoreKind.allCases)
  func toMany(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = AggregateRequest(
      properties: [
        column("@sum.pages.number"), column("@max.pages.number"), column("@sum.tags.@count"),
        column("@max.tags.@count"), column("@max.tags.name"),
      ]
    )
    #expect(
      try stack.context.fetch(request.request()) == [
        [
          "@sum.pages.number": 18, "@max.pages.number": 5, "@sum.tags.@count": 3, "@max.tags.@count": 2,
          "@max.tags.name": "u",
        ]
      ]
    )
    let each = AggregateRequest(
      properties: ["rating", column("tags.@count"), column("pages.@sum.number")],
      sort: [NSSortDescriptor(key: "rating", ascending: true)]
    )
    let rows = try stack.context.fetch(each.request())
    #expect(rows.map { $0["tags.@count"] as? Int } == [2, 1, 0, 0])
    #expect(rows.map { $0["pages.@sum.number"] as? Int } == [0, 1, 5, 12])
  }

  @Test(
    "operators that return lists have the objects' values, and the IDs of related objects",
    arguments: StoreKind.allCases
  )
  func lists(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = AggregateRequest(
      properties: [
        column("@distinctUnionOfObjects.title"), column("@unionOfObjects.title"),
        column("@distinctUnionOfObjects.category"), column("@count"),
      ]
    )
    let found = try #require(try stack.context.fetch(request.request()).first)
    #expect((found["@distinctUnionOfObjects.title"] as? [String])?.sorted() == ["a", "b", "c"])
    #expect((found["@unionOfObjects.title"] as? [String])?.sorted() == ["a", "a", "b", "c"])
    let categories = try stack.fetch(Category.self).map(\.objectID)
    let ids = found["@distinctUnionOfObjects.category"] as? [NSManagedObjectID]
    #expect(ids.map(Set.init) == Set(categories))
    let byCategory = AggregateRequest(
      properties: ["category.name", column("@distinctUnionOfObjects.title")],
      groupBy: ["category.name"],
      sort: [NSSortDescriptor(key: "category.name", ascending: true)],
      isDistinct: true
    )
    let titles = try stack.context.fetch(byCategory.request()).map {
      ($0["@distinctUnionOfObjects.title"] as? [String])?.sorted()
    }
    #expect(titles == [["c"], ["a", "b"], ["a"]])
  }

  @Test("without objects, counts and sums are 0 and other operators nil", arguments: StoreKind.allCases)
  func nothing(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let columns = ["@count", "@sum.rating", "@avg.rating", "@min.title", "@max.createdAt"].map { column($0) }
    #expect(
      try stack.context.fetch(AggregateRequest(properties: columns).request()) == [
        ["@count": 0, "@sum.rating": 0]
      ]
    )
  }

  @Test("an unknown operator is an error that names the existing ones", arguments: StoreKind.allCases)
  func unknown(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    for keyPath in ["@median.rating", "@sum", "@sum.nonsense"] {
      let request = AggregateRequest(properties: [column(keyPath)])
      let error = #expect(throws: NSError.self) { try stack.context.fetch(request.request()) }
      #expect(error?.domain == NSCocoaErrorDomain, "\(keyPath)")
    }
    let request = AggregateRequest(properties: [column("@median.rating")])
    let error = #expect(throws: NSError.self) { try stack.context.fetch(request.request()) }
    #expect(error?.localizedDescription.contains("@distinctUnionOfObjects") == true)
  }
}
