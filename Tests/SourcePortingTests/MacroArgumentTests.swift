import SourcePorting
import SwiftParser
import SwiftSyntax
import Testing

@Suite("Casts in the arguments of macros")
struct MacroArgumentTests {
  @Test("the statement is written twice, since no condition can be in the argument")
  func statement() {
    let file = port("func f() throws {\n  let a = try #require(x as! NSFetchRequest<Note>) // why\n}\n")
    #expect(
      file.text == """
        func f() throws {
          #if canImport(ObjectiveC)
          let a = try #require(x as! NSFetchRequest<Note>)
          #else
          let a = try #require(x.castingResults(to: Note.self) as! NSFetchRequest<Note>)
          #endif // why
        }

        """
    )
    #expect(file.leftovers.isEmpty)
    #expect(file.rewrites.count == 1)
    #expect(port(file.text).text == file.text)
  }

  @Test("casts of one statement share a condition, with the other changes in it")
  func several() {
    let text = port(
      "func f() { #expect((x as? NSFetchRequest<A>) == (y as? NSFetchRequest<B>), \"\\(#keyPath(A.b))\") }"
    ).text
    #expect(text.ranges(of: "#if canImport(ObjectiveC)").count == 1)
    #expect(text.contains("x.castingResults(to: A.self) as?"))
    #expect(text.contains("y.castingResults(to: B.self) as?"))
    #expect(!text.contains("#keyPath"))
    #expect(!Parser.parse(source: text).hasError)
    #expect(port(text).text == text)
  }

  @Test("a cast in a statement of a closure there stays in that statement")
  func closure() {
    let text = port("#expect(throws: E.self) {\n  let a = x as! NSFetchRequest<Note>\n  f(a)\n}").text
    #expect(text.contains("let a = x\n    #if !canImport(ObjectiveC)"))
    #expect(!text.contains("#else"))
  }

  @Test("a member of a type is written twice as well")
  func member() {
    let text = port("struct A {\n  let a = #first(x as! NSFetchRequest<Note>)\n}").text
    #expect(text.contains("#else\n  let a = #first(x.castingResults(to: Note.self) as!"))
  }

  @Test("a statement next to a semicolon is listed")
  func semicolon() {
    let code = "f(); #expect(x is NSFetchRequest<Note>)"
    #expect(port(code).text == code)
    #expect(leftovers(code).count == 1)
    #expect(leftovers(code).first?.hasSuffix("cast in a statement in front of it") == true)
  }
}
