import SourcePorting
import Testing

@Suite("Names that Foundation has too")
struct SharedNameTests {
  /// The text of a file of the tests of a package after porting both.
  private func ported(_ test: String, _ declaration: String, in folder: String = "Sources/Kit") -> String {
    let files = [("Tests/KitTests/A.swift", test), ("\(folder)/Declared.swift", declaration)]
    return SourcePorter(sources: files).port()[0].text
  }

  @Test(
    "a package's type is imported by name if Foundation has one of the name",
    arguments: [
      ("public struct Predicate<T> {}", "struct Kit.Predicate"),
      ("public protocol Predicate {}", "protocol Kit.Predicate"),
      ("public typealias Predicate = Int", "typealias Kit.Predicate"),
      ("open class Predicate {}", "class Kit.Predicate"),
    ]
  )
  func imported(declaration: String, expected: String) {
    let test =
      "import Kit // why\nimport XCTest\n\nlet one: Predicate<User>? = nil\nlet two: Predicate<User>?\n"
    let text = ported(test, declaration)
    #expect(text == test.replacing("import XCTest", with: "import \(expected)\nimport XCTest"))
    #expect(ported(text, declaration) == text)
  }

  @Test("the import copies the attributes of the module's import")
  func attributes() {
    let text = ported(
      "@testable import Kit\nlet one = Expression()\n",
      "struct Expression {}\npublic struct Other {}"
    )
    #expect(text == "@testable import Kit\n@testable import struct Kit.Expression\nlet one = Expression()\n")
    let tested = ported("@testable import Kit\nlet one: Expression\n", "public protocol Expression {}")
    #expect(tested == "@testable import Kit\nimport protocol Kit.Expression\nlet one: Expression\n")
    let shown = ported("public import Kit\nvar one: SortDescriptor\n", "public enum SortDescriptor {}")
    #expect(shown == "public import Kit\npublic import enum Kit.SortDescriptor\nvar one: SortDescriptor\n")
  }

  @Test(
    "names that refer to Foundation, the module itself or a member stay",
    arguments: [
      ("import Kit\nvar one: Predicate\n", "struct Predicate {}"),
      ("import Kit\nvar one: Predicate\n", "private struct Predicate {}"),
      ("import Kit\nvar one: Predicate\nprivate struct Predicate {}\n", "public struct Predicate {}"),
      ("import Foundation\nvar one: Predicate\n", "public struct Predicate {}"),
      ("import Kit\nvar one: Kit.Predicate\n", "public struct Predicate {}"),
      ("import Kit\nvar one: Query\n", "public struct Query {}"),
      ("import Kit\nvar one: Predicate\n", "enum Outer { public struct Predicate {} }"),
    ]
  )
  func unchanged(test: String, declaration: String) {
    #expect(ported(test, declaration) == test)
  }

  @Test("a type in a folder that is not named after the module imported is not taken for the module's")
  func otherFolder() {
    let test = "import Kit\nvar one: Predicate\n"
    #expect(ported(test, "public struct Predicate {}", in: "Sources/Other") == test)
  }
}
