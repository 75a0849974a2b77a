import Foundation
import Predicates
import Testing

/// The type that the predicates of the macro evaluate.
private struct Article {
  var title: String
  var rating: Int?
  var price: Double
  var isPublished: Bool
  var tags: [Label]
  var author: Author?
}

private struct Label { var name: String }

private struct Author { var name: String }

@Suite("Predicates of the macro")
struct MacroPredicateTests {
  private static let articles = [
    Article(
      title: "Apples",
      rating: 3,
      price: 1.5,
      isPublished: true,
      tags: [Label(name: "a")],
      author: Author(name: "Ada")
    ),
    Article(title: "Pears", rating: nil, price: 2, isPublished: false, tags: [], author: nil),
    Article(
      title: "",
      rating: 5,
      price: 0,
      isPublished: true,
      tags: [Label(name: "a"), Label(name: "b")],
      author: nil
    ),
  ]

  /// Converts a predicate, and checks that it matches the same values as the macro's predicate.
  private func converted(_ predicate: Foundation.Predicate<Article>) throws -> String {
    let converted = try #require(NSPredicate(predicate))
    let evaluator = try PredicateEvaluator(converted)
    for article in Self.articles {
      #expect(try evaluator(article) == predicate.evaluate(article), "\(converted)")
    }
    return converted.printedFormat
  }

  @Test("predicates of the macro become comparisons of key paths")
  func comparisons() throws {
    #expect(try converted(#Predicate { $0.title == "Pears" }) == "title == \"Pears\"")
    #expect(
      try converted(#Predicate { $0.price * 2 >= 3 && $0.title != "x" })
        == "price * 2 >= 3 AND title != \"x\""
    )
    #expect(try converted(#Predicate { !($0.price < 1) || $0.price == 2 }) == "NOT price < 1 OR price == 2")
    #expect(try converted(#Predicate { $0.isPublished }) == "isPublished == 1")
    #expect(try converted(#Predicate { $0.title.isEmpty }) == "title == \"\"")
  }

  @Test("predicates of the macro contain captured values, ranges and lists")
  func captured() throws {
    let titles = ["Pears", ""]
    #expect(try converted(#Predicate { titles.contains($0.title) }) == "title IN {\"Pears\", \"\"}")
    #expect(try converted(#Predicate { (1...2).contains($0.price) }) == "price BETWEEN {1, 2}")
    #expect(try converted(#Predicate { (1..<2).contains($0.price) }) == "price >= 1 AND price < 2")
  }

  @Test("search texts")
  func texts() throws {
    #expect(try converted(#Predicate { $0.title.starts(with: "App") }) == "title BEGINSWITH \"App\"")
    #expect(try converted(#Predicate { $0.title.contains("ear") }) == "title CONTAINS \"ear\"")
  }

  @Test("predicates of the macro find nothing in an optional without a value, or the default of ??")
  func optionals() throws {
    #expect(try converted(#Predicate { $0.rating == nil }) == "rating == nil")
    #expect(
      try converted(#Predicate { $0.author?.name == "Ada" }) == "author.name == \"Ada\""
    )
    #expect(
      try converted(#Predicate { ($0.rating ?? 0) > 2 }) == "TERNARY(rating != nil, rating, 0) > 2"
    )
    _ = try converted(#Predicate { $0.rating.flatMap { $0 > 3 } ?? true })
    _ = try converted(
      #Predicate {
        if let rating = $0.rating {
          return rating > 3
        } else {
          return false
        }
      }
    )
  }

  @Test("alternatives of the macro become conditionals, in which an unknown condition selects the second")
  func conditionals() throws {
    // With literals, and inside another macro, the compiler needs 25 seconds for the types of this predicate.
    let (limit, apples, nothing) = (1.0, "Apples", "")
    let predicate = #Predicate<Article> { $0.price > limit ? $0.title == apples : $0.title == nothing }
    #expect(
      try converted(predicate)
        == "TERNARY(price > 1, TERNARY(title == \"Apples\", 1, 0), TERNARY(title == \"\", 1, 0)) == 1"
    )
    #expect(
      try converted(#Predicate { ($0.title == "Pears") == false })
        == "TERNARY(title == \"Pears\", 1, 0) == 0"
    )
  }

  @Test("ask collections by subqueries")
  func collections() throws {
    #expect(
      try converted(#Predicate { $0.tags.contains { $0.name == "b" } })
        == "SUBQUERY(tags, $element1, $element1.name == \"b\").@count > 0"
    )
    #expect(
      try converted(#Predicate { $0.tags.allSatisfy { $0.name == "a" } })
        == "SUBQUERY(tags, $element1, NOT $element1.name == \"a\").@count == 0"
    )
    #expect(
      try converted(#Predicate { $0.tags.filter { $0.name == "a" }.count == 1 })
        == "SUBQUERY(tags, $element1, $element1.name == \"a\").@count == 1"
    )
    #expect(try converted(#Predicate { $0.tags.isEmpty }) == "tags.@count == 0")
  }

  @Test("predicates of the macro that the format language cannot express are not converted")
  func unconvertible() {
    #expect(NSPredicate(#Predicate<Article> { $0.title.count > 3 }) == nil)
    #expect(NSPredicate(#Predicate<Article> { ($0.title as Any) is String }) == nil)
  }

  @Test("Swift's sort descriptors become Foundation's")
  func sortDescriptors() {
    let descriptor = NSSortDescriptor(SortDescriptor(\Article.title, order: .reverse))
    #expect(descriptor.key == "title")
    #expect(!descriptor.ascending)
  }
}
