import Foundation
import Predicates
import Testing

@Suite("Predicates evaluate as Apple documents")
struct EvaluationTests {
  private let note = Record([
    "title": "Swift", "size": 5, "rating": 2.5, "done": true, "missing": nil,
    "created": Date(timeIntervalSinceReferenceDate: 100),
    "id": UUID(uuidString: "6A52CF44-BC4B-4A21-A6AE-2D4F5A6C6C4C"),
    "price": Decimal(string: "0.10"), "url": URL(string: "https://example.org/a.txt"), "data": Data([1, 2]),
    "category": Record(["name": "Programming", "parent": nil]),
    "tags": NSSet(array: [Record(["name": "a", "weight": 1]), Record(["name": "b", "weight": 3])]),
    "nothing": [Any](), "words": ["x", "y", "x"],
  ])

  static let holding = [
    "title == 'Swift'", "title != 'swift'", "title ==[c] 'swift'", "title BEGINSWITH 'Sw'",
    "title ENDSWITH[c] 'FT'",
    "title CONTAINS 'wif'", "title LIKE 'S*?t'", "title MATCHES '[A-Z]\\\\w+'", "title IN {'a', 'Swift'}",
    "title IN[c] {'a', 'SWIFT'}", "'wif' IN title", "title < 'T'", "title > 'Java'", "title >= 'Swift'",
    "title <= 'Swift'",
    "title BETWEEN {'R', 'T'}", "title <[c] 'swiftx'", "size == 5", "size == 5.0", "size != 6", "size < 5.5",
    "size > 4",
    "size >= 5", "size <= 5", "size BETWEEN {5, 6}", "size BETWEEN {4, 5}", "size IN {1, 5}", "rating == 2.5",
    "done == YES", "done == 1", "done != NO", "missing == nil", "missing == NULL", "size != nil",
    "missing != 'x'",
    "missing != 5", "NOT missing > 5", "NOT missing < 5", "created < CAST(101, 'NSDate')",
    "created == CAST(100, 'NSDate')",
    "id == CAST('6a52cf44-bc4b-4a21-a6ae-2d4f5a6c6c4c', 'NSUUID')", "price == 0.1", "price < 0.11",
    "url == CAST('https://example.org/a.txt', 'NSURL')", "data == CAST('AQI=', 'NSData')",
    "category.name == 'Programming'", "category.parent.name == nil", "category != nil", "tags.@count == 2",
    "tags.@sum.weight == 4", "tags.@avg.weight == 2", "tags.@max.weight == 3", "tags.@min.weight == 1",
    "nothing.@count == 0", "nothing.@sum.x == 0", "nothing.@max.x == nil", "missing.@count == 0",
    "ANY tags.name == 'a'", "ANY tags.weight > 2", "ALL tags.weight > 0", "NONE tags.name == 'c'",
    "ALL nothing == 1",
    "NONE nothing == 1", "NOT ANY nothing == 1", "ANY tags.name IN {'x', 'b'}", "tags.name CONTAINS 'a'",
    "'a' IN tags.name",
    "ANY words == 'y'", "words.@distinctUnionOfObjects.self.@count == 2", "words[0] == 'x'",
    "words[FIRST] == 'x'", "words[LAST] == 'x'", "words[SIZE] == 3", "words[7] == nil",
    "words CONTAINS[c] 'Y'",
    "SUBQUERY(tags, $t, $t.weight > 2).@count == 1", "SUBQUERY(tags, $t, $t.weight > size).@count == 0",
    "SUBQUERY(tags, $t, SUBQUERY(words, $w, $w == $t.name).@count > 0)[SIZE] == 0",
    "TRUEPREDICATE", "NOT FALSEPREDICATE", "size == 5 AND done == YES", "size == 6 OR done == YES",
    "NOT size == 6", "size == 6 OR NOT (done == NO OR size < 3)", "SELF != nil", "url.host == 'example.org'",
    "title.length == 5", "title.lowercaseString == 'swift'", "id.UUIDString BEGINSWITH '6A52'",
    "title != 5", "NOT title == 5", "NOT tags == 5", "created.timeIntervalSinceReferenceDate == 100",
    "nil IN {1, NULL}", "NOT missing IN {1, 2}", "NOT missing BETWEEN {1, 2}", "NOT missing CONTAINS 'a'",
    "NOT missing BEGINSWITH 'a'", "NOT title BEGINSWITH missing", "NOT title CONTAINS missing",
    "NOT title IN missing",
    "NOT nil < 5", "NOT nil <= nil", "title ==[n] 'Swift'", "NOT title ==[nc] 'swift'", "title <[l] 'T'",
  ]

  @Test("the predicate holds", arguments: holding)
  func holds(format: String) throws {
    #expect(try matches(format, note))
    #expect(NSPredicate(format: format).evaluate(with: note))
  }

  /// Predicates that cannot be evaluated, and the beginning of each message.
  static let errors: [(String, String)] = [
    ("title > 5", "The left side, text, and the right side, a number, have no order"),
    ("size BETWEEN {'a', 'b'}", "The left side, a number, and the right side, text, have no order"),
    ("created < 'x'", "The left side, a date, and the right side, text, have no order"),
    ("tags > 1", "The left side, a collection, and the right side, a number, have no order"),
    ("size LIKE 'x'", "The left side is a number, not text"),
    ("title LIKE 5", "The right side is a number, not text"),
    ("title MATCHES '['", "\"[\" is not a regular expression"),
    (
      "'[' == title OR title MATCHES category.name[0]",
      "A subscript needs a collection, not a value that is text"
    ),
    ("size CONTAINS 5", "CONTAINS needs a collection or text on its left side, which is a number"),
    ("title CONTAINS 5", "Text cannot contain the right side, which is a number"),
    ("5 IN size", "IN needs a collection or text on its right side, which is a number"),
    ("ANY size == 5", "ANY needs a collection on its left side, which is a number"),
    ("ALL title == 5", "ALL needs a collection on its left side, which is text"),
    ("title.nope == 1", "A value that is text has no key \"nope\""),
    ("title.@count == 1", "@count needs a collection, not a value that is text"),
    ("tags.@sum.name == 1", "A value that is text stands where a number is needed"),
    ("tags.@frob.name == 1", "The key path \"tags.@frob.name\" has the unknown operator @frob"),
    ("$x == 1", "The variable $x has no value"),
    ("title + 1 == 2", "add:to: needs a number, not a value that is text"),
    ("size BETWEEN words", "BETWEEN needs two values on its right side, which is a collection"),
    (
      "SUBQUERY(size, $x, TRUEPREDICATE).@count == 1",
      "SUBQUERY needs a collection, not a value that is a number"
    ),
    ("ANYKEY == 1", "ANYKEY can only be used in Spotlight queries"),
    ("FUNCTION(title, 'explode:', 1) == 1", "The message explode: cannot be sent here"),
    ("uppercase(size) == 'A'", "uppercase: needs text, not a value that is a number"),
  ]

  @Test("an impossible comparison throws an error that names it, and counts as false", arguments: errors)
  func throwing(format: String, message: String) throws {
    let error = #expect(throws: PredicateEvaluationError.self) { try matches(format, note) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    #expect(error?.expression.isEmpty == false)
    #expect(!NSPredicate(format: format).evaluate(with: note))
  }

  @Test("an unknown key is thrown by the object itself")
  func unknownKey() {
    #expect(throws: Record.UnknownKey(key: "nope")) { try matches("nope == 1", note) }
    #expect(throws: Record.UnknownKey(key: "nope")) { try matches("category.nope == 1", note) }
    #expect(throws: Record.UnknownKey(key: "nope")) { try matches("ANY tags.nope == 1", note) }
    #expect(!NSPredicate(format: "nope == 1").evaluate(with: note))
  }

  @Test("AND and OR stop as soon as they can")
  func shortCircuit() throws {
    #expect(try !matches("size == 6 AND nope == 1", note))
    #expect(try matches("size == 5 OR nope == 1", note))
  }

  @Test("variables are given with the evaluation or replaced before")
  func variables() throws {
    let predicate = NSPredicate(format: "size > $limit AND title == $title")
    #expect(predicate.evaluate(with: note, substitutionVariables: ["limit": 4, "title": "Swift"]))
    #expect(!predicate.evaluate(with: note, substitutionVariables: ["limit": 5, "title": "Swift"]))
    #expect(!predicate.evaluate(with: note))
    #expect(predicate.withSubstitutionVariables(["limit": 4, "title": "Swift"]).evaluate(with: note))
    #expect(try matches("ANY tags.name == $v", note, variables: ["v": "a"]))
  }

  @Test("long lists are looked up, with the same equality")
  func longLists() throws {
    let list: [Any] = (0..<100_000).map { $0 as Any } + ["Swift", 2.5, NSNull()]
    #expect(try matches("size IN %@", note, list))
    #expect(try matches("title IN %@", note, list))
    #expect(try matches("rating IN %@", note, list))
    #expect(try matches("missing IN %@", note, list))
    #expect(try !matches("created IN %@", note, list))
    #expect(try matches("title IN[c] %@", note, ["SWIFT"]))
  }

  @Test("Foundation's own compounds and closures take part")
  func foundationPredicates() throws {
    let parts = [NSPredicate(format: "size == 5"), NSPredicate(block: { object, _ in object is Record })]
    let and = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    #expect(and.evaluate(with: note))
    #expect(try PredicateEvaluator(and)(note as Any))
    #expect(
      try PredicateEvaluator(NSCompoundPredicate(notPredicateWithSubpredicate: and))(note as Any) == false
    )
    #expect(
      try PredicateEvaluator(NSCompoundPredicate(orPredicateWithSubpredicates: []))(note as Any) == false
    )
    #expect(try PredicateEvaluator(NSCompoundPredicate(andPredicateWithSubpredicates: []))(note as Any))
  }

  @Test("collections of Foundation filter with them")
  func filtering() {
    let array: NSArray = [1, 2, 3, 4]
    #expect(array.filtered(using: NSPredicate(format: "SELF > 2")) as? [Int] == [3, 4])
    let names: NSArray = ["Anna", "bob", "Änne"]
    #expect(
      names.filtered(using: NSPredicate(format: "SELF BEGINSWITH[cd] 'a'")) as? [String] == ["Anna", "Änne"]
    )
  }

  @Test("a compound whose parts were exchanged evaluates the new ones")
  func exchangedParts() throws {
    let inner = NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(format: "size == 6")])
    let outer = CompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "done == YES"), inner])
    #expect(!outer.evaluate(with: note))
    inner.subpredicates.append(NSPredicate(format: "size == 5"))
    #expect(outer.evaluate(with: note))
    outer.subpredicates[0] = NSPredicate(value: false)
    #expect(!outer.evaluate(with: note))
    outer.compoundPredicateType = .or
    #expect(outer.evaluate(with: note))
  }

  @Test("a predicate that was evaluated does not keep itself alive")
  func lifetime() {
    weak var comparison: NSPredicate?
    weak var compound: NSPredicate?
    do {
      let first = NSPredicate(format: "size == 5 AND SUBQUERY(tags, $t, $t.name == 'a').@count == 1")
      #expect(first.evaluate(with: note))
      let second = NSPredicate(format: "ANY tags.name == 'a'")
      #expect(second.evaluate(with: note))
      (compound, comparison) = (first, second)
    }
    #expect(comparison == nil)
    #expect(compound == nil)
  }
}
