import SourcePorting
import Testing

@Suite("Casts of fetch requests")
struct FetchRequestCastTests {
  @Test("a cast to other results creates a request of that class if classes are not erased")
  func cast() {
    #expect(
      port("  let a = request as! NSFetchRequest<NSFetchRequestResult>").text == """
          let a = request
            #if !canImport(ObjectiveC)
            .castingResults(to: NSFetchRequestResult.self)
            #endif
            as! NSFetchRequest<NSFetchRequestResult>
        """
    )
  }

  @Test(
    "casts of every kind are ported",
    arguments: [
      ("f(A.fetchRequest() as? NSFetchRequest<any NSFetchRequestResult>)", "(any NSFetchRequestResult).self"),
      ("if request is NSFetchRequest<Note> {}", "Note.self"),
      ("let a = try f(x!, b) as! CoreData.NSFetchRequest<T>", "T.self"),
      ("guard let a = requests[0] as? NSFetchRequest<NSDictionary> else { return }", "NSDictionary.self"),
    ]
  )
  func kinds(code: String, metatype: String) {
    let text = port(code).text
    #expect(text.contains(".castingResults(to: \(metatype))"), "\(text)")
    #expect(port(text).text == text)
    #expect(port(text).leftovers.isEmpty)
  }

  @Test("a cast without a check is made with one, in a statement for each side")
  func unchecked() {
    let text = "func f() {\n  return unsafeBitCast(self, to: NSFetchRequest<T>.self)\n}\n"
    let file = port(text)
    #expect(
      file.text == """
        func f() {
          #if canImport(ObjectiveC)
          return unsafeBitCast(self, to: NSFetchRequest<T>.self)
          #else
          return (self.castingResults(to: T.self) as! NSFetchRequest<T>)
          #endif
        }

        """
    )
    #expect(file.leftovers.isEmpty)
    #expect(!port(file.text).isChanged)
    #expect(
      port("let a = unsafeDowncast(b.c, to: CoreData.NSFetchRequest<any P>.self)").text
        .contains("(b.c.castingResults(to: (any P).self) as! NSFetchRequest<any P>)")
    )
    let controller = "let a = unsafeBitCast(self, to: NSFetchedResultsController<U>.self)"
    #expect(port(controller).text == controller)
    #expect(leftovers(controller).first?.contains("keep its class") == true)
    let other = "let a = unsafeBitCast(self, to: Box<U>.self)"
    #expect(port(other).text == other && leftovers(other).isEmpty)
  }

  @Test("copies, conversions at compile time and other classes stay as they are")
  func untouched() {
    for code in [
      "let a = request.copy() as! NSFetchRequest<Note>", "let a = request as NSFetchRequest<Note>",
      "let a = request as! NSBatchDeleteRequest", "let a: NSFetchRequest<Note> = Note.fetchRequest()",
    ] {
      let text = "import CoreData\n\n\(code)"
      #expect(port(text).text == text)
      #expect(port(text).leftovers.isEmpty)
    }
  }

  @Test("patterns, and casts to classes without a replacement, are listed")
  func listed() {
    let found = leftovers(
      "switch request {\ncase let note as NSFetchRequest<Note>: f(note)\ndefault: break\n}\nlet a = controller as! NSFetchedResultsController<Note>"
    )
    #expect(found.map { String($0.prefix(5)) } == ["2:15:", "5:20:"])
  }
}
