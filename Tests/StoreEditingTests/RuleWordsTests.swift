import CoreData
import Foundation
import TestModels
import Testing

@testable import StoreEditing

@Suite("Rules of the model in words")
struct RuleWordsTests {
  @Test(
    "A rule of the model is printed in words",
    arguments: [
      ("SELF <= 5", "at most 5"), ("SELF >= 1", "at least 1"), ("SELF < 5", "less than 5"),
      ("SELF > 0", "more than 0"), ("SELF >= 1 AND SELF <= 5", "at least 1 and at most 5"),
      ("length <= 20", "at most 20 characters"), ("length >= 1", "at least 1 character"),
      ("SELF MATCHES \"[a-z]+\"", "of the form “[a-z]+”"), ("SELF BEGINSWITH \"a\"", "beginning with “a”"),
      ("SELF IN {\"red\", \"blue\"}", "one of “red”, “blue”"), ("SELF BETWEEN {1, 5}", "from 1 to 5"),
    ]
  )
  func words(format: String, words: String) {
    #expect(RuleWords.words(NSPredicate(format: format)) == words)
  }

  @Test("A rule without words is printed as its predicate")
  func otherRule() {
    #expect(RuleWords.words(NSPredicate(format: "SELF.other == 1")).hasPrefix("fulfils "))
    #expect(RuleWords.words(NSPredicate(format: "NOT SELF == 1")).hasPrefix("fulfils "))
  }

  @Test("A field that breaks a rule has an error in words, with the model's own warning")
  func fieldError() async throws {
    let store = try EditedStore()
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let wrong = await #expect(throws: WrongFields.self) {
      try await store.session.stage(["servings": FieldInput("0")], of: recipe)
    }
    #expect(wrong?.problems.map(\.message) == ["servings must be at least 1: there is somebody to eat."])
    #expect(try await store.field("servings", of: recipe).rules == ["at least 1"])
  }
}
