import Foundation
import Predicates
import Testing

@Suite("Key paths read objects, dictionaries and any Swift value")
struct ReadingTests {
  class Base { var inherited = "base" }

  final class Item: Base {
    let name: String
    var price: Double?
    lazy var computedOnce = name.count
    init(name: String, price: Double?) {
      self.name = name
      self.price = price
    }
  }

  struct Order {
    var items: [Item]
    var customer: (name: String, age: Int)
    var keyed: [String: Int]
    var labels: Set<String>
  }

  private let order = Order(
    items: [Item(name: "pen", price: 1.5), Item(name: "ink", price: nil), Item(name: "ink", price: 2)],
    customer: ("Ada", 36),
    keyed: ["x": 1],
    labels: ["a", "b"]
  )

  private func read(_ path: String, _ root: Any?) throws -> Any? { try KeyPathReader(path).value(of: root) }

  @Test("stored properties are read by reflection, inherited and lazy ones too")
  func reflection() throws {
    #expect(try matches("customer.name == 'Ada' AND customer.age > 30", order))
    #expect(try matches("items.@count == 3 AND ANY items.name == 'pen'", order))
    #expect(try matches("items.@sum.price == 3.5", order))
    #expect(try matches("ANY items.price == nil", order))
    #expect(try matches("ALL items.inherited == 'base'", order))
    #expect(try matches("keyed.x == 1 AND 'a' IN labels AND labels.@count == 2", order))
    #expect(try read("items.name", order) as? [String] == ["pen", "ink", "ink"])
    #expect(try read("items.@distinctUnionOfObjects.name", order) as? [String] == ["pen", "ink"])
    #expect(try read("items.@unionOfObjects.price", order) as? [Double] == [1.5, 2])
    #expect(try read("items.@distinctUnionOfObjects.name.@count", order) as? Int == 2)
  }

  @Test("a property that is not there is an error")
  func missingProperty() throws {
    let error = #expect(throws: PredicateEvaluationError.self) { try read("items.nope", order) }
    #expect(error?.message == "A value that is of the type Item has no key \"nope\"")
  }

  @Test("dictionaries of Swift and Foundation are read; a missing key is null")
  func dictionaries() throws {
    #expect(try matches("a.b == 1 AND c == nil", ["a": ["b": 1]]))
    #expect(
      try matches(
        "a.b == 1 AND c == nil",
        NSDictionary(dictionary: ["a": NSDictionary(dictionary: ["b": 1])])
      )
    )
    let hashable: [AnyHashable: Any] = ["a": 1, 2: 3]
    #expect(try matches("a == 1", hashable))
    #expect(try matches("a == 1 AND b == nil", ["a": 1, "b": NSNull()] as [String: Any]))
    #expect(try matches("a == 'x'", ["a": "x" as String?]))
  }

  @Test("key paths map over every kind of collection, and through several")
  func collections() throws {
    let inner: [[String: Any]] = [["n": 1], ["n": 2]]
    for collection in [
      inner, NSArray(array: inner), NSOrderedSet(array: inner),
      Set(inner.map { NSDictionary(dictionary: $0) }),
    ] as [Any] {
      #expect(
        try matches(
          "ANY list.n == 2 AND ALL list.n > 0 AND list.@count == 2 AND list.@max.n == 2",
          ["list": collection]
        )
      )
    }
    let nested: [String: Any] = ["notes": [["tags": [["n": 1], ["n": 2]]], ["tags": [["n": 3]]]]]
    #expect(try read("notes.tags.n", nested) as? [Int] == [1, 2, 3])
    #expect(try matches("ANY notes.tags.n == 3 AND notes.@sum.tags.n == 6", nested))
  }

  @Test("a key path through nil has the value nil")
  func nulls() throws {
    #expect(try read("a.b.c", ["a": nil as Any?] as [String: Any?]) == nil)
    #expect(try read("a.b", nil) == nil)
    #expect(try read("a.b", ["a": NSNull()]) == nil)
  }

  @Test("a key path with an empty key is an error", arguments: ["", "a.", ".a", "a..b"])
  func emptyKeys(path: String) {
    #expect(throws: PredicateEvaluationError.self) { try KeyPathReader(path) }
  }

  @Test("the keys that Foundation's own values have on Apple's platforms are known")
  func foundationKeys() throws {
    #expect(try read("s.length", ["s": "é😀"]) as? Int == 3)
    #expect(try read("s.uppercaseString", ["s": "aß"]) as? String == "ASS")
    #expect(try read("s.intValue", ["s": "12x"]) as? Int == 12)
    #expect(try read("n.stringValue", ["n": 12]) as? String == "12")
    #expect(try read("n.boolValue", ["n": 0]) as? Int == 0)
    #expect(try read("d.timeIntervalSince1970", ["d": Date(timeIntervalSince1970: 5)]) as? Double == 5)
    #expect(try read("u.pathExtension", ["u": URL(string: "https://a.b/c.txt") as Any]) as? String == "txt")
    #expect(try read("b.length", ["b": Data([1, 2, 3])]) as? Int == 3)
  }
}
