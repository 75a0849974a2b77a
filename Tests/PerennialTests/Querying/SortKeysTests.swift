import Testing

@testable import PerennialCommands

@Suite("Sort keys")
struct SortKeysTests {
  @Test("sort keys are separated by commas, with an order after a colon")
  func keys() {
    #expect(
      SortKeys(argument: "category.name, createdAt:desc,title:asc")?.keys == [
        .init(keyPath: "category.name", isAscending: true),
        .init(keyPath: "createdAt", isAscending: false),
        .init(keyPath: "title", isAscending: true),
      ]
    )
  }

  @Test("an order can be written as in SQL, with a space and in capitals")
  func spellingOfSQL() {
    #expect(
      SortKeys(argument: "createdAt desc, title ASC, max:(a.b) DESC,description")?.keys == [
        .init(keyPath: "createdAt", isAscending: false), .init(keyPath: "title", isAscending: true),
        .init(keyPath: "max:(a.b)", isAscending: false), .init(keyPath: "description", isAscending: true),
      ]
    )
  }

  @Test("the keys of groups may be functions, whose names have colons")
  func functions() {
    #expect(
      SortKeys(argument: "max:(a.b):desc, sum:(c)")?.keys == [
        .init(keyPath: "max:(a.b)", isAscending: false), .init(keyPath: "sum:(c)", isAscending: true),
      ]
    )
  }

  @Test(
    "an invalid list of sort keys is a usage error",
    arguments: ["", ",", "a,,b", "a:up", ":desc", "a:desc:asc"]
  )
  func wrong(text: String) {
    #expect(SortKeys(argument: text) == nil)
  }
}
