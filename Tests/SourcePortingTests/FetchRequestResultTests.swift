import SourcePorting
import Testing

@Suite("Results of requests in generic signatures")
struct FetchRequestResultTests {
  @Test(
    "a parameter that a request takes is an NSFetchRequestResult, as the request implies on Apple's platforms",
    arguments: [
      ("func inspect<Result>(_ request: NSFetchRequest<Result>)", "<Result: NSFetchRequestResult>"),
      ("func run<A, B>(_ a: A) -> [NSAsynchronousFetchResult<B>]", "<A, B: NSFetchRequestResult>"),
      ("init<T>(controller: NSFetchedResultsController<T>?)", "<T: NSFetchRequestResult>"),
    ]
  )
  func constrained(source: String, expected: String) {
    let protocolText = "import CoreData\n\nprotocol Inspector {\n  \(source)\n}\n"
    let clause = source.drop { $0 != "<" }.prefix { $0 != ">" } + ">"
    #expect(port(protocolText).text == protocolText.replacing(clause, with: expected, maxReplacements: 1))
    #expect(port(protocolText).leftovers.isEmpty)
    #expect(!port(port(protocolText).text).isChanged)
  }

  @Test("functions that only set up or cast the requests of all of one name take requests of any results")
  func settings() {
    let protocolText = "protocol Clause {\n  func apply<R>(_ request: NSFetchRequest<R>)\n}\n"
    let setup = """
      struct Where: Clause {
        func apply<R>(_ request: NSFetchRequest<R>) {
          if request.predicate != nil { print("\\(name(of: request)) has \\(R.self)") }
          request.predicate = predicate
          change(request as! NSFetchRequest<NSFetchRequestResult>)
        }
      }
      """
    let cast = """
      func cast<R>(_ request: AnyObject) -> NSFetchRequest<R> {
        return unsafeDowncast(request, to: NSFetchRequest<R>.self)
      }
      """
    #expect(port(protocolText, with: setup).text == protocolText)
    #expect(!port(setup, with: protocolText).text.contains("R: NSFetchRequestResult"))
    #expect(!port(cast).text.contains("R: NSFetchRequestResult"))
    for text in [setup, cast] { #expect(!port(port(text).text).isChanged) }
    let limited =
      "struct Mock: Clause {\n  func apply<R: NSFetchRequestResult>(_ request: NSFetchRequest<R>) {}\n}"
    #expect(port(protocolText, with: setup, limited).text.contains("<R: NSFetchRequestResult>"))
    for use in ["run(request)", "found = try request.execute()", "let all: [R] = []", "run(R.self)"] {
      let other = "struct Other: Clause {\n  func apply<R>(_ request: NSFetchRequest<R>) { \(use) }\n}"
      #expect(port(protocolText, with: setup, other).text.contains("<R: NSFetchRequestResult>"), "\(use)")
      #expect(port(setup, with: protocolText, other).text.contains("<R: NSFetchRequestResult>"), "\(use)")
    }
  }

  @Test(
    "a parameter that is limited already, or that no request takes, stays as it is",
    arguments: [
      "func run<R: NSManagedObject>(_ request: NSFetchRequest<R>) {}",
      "func run<R>(_ request: NSFetchRequest<R>) where R: NSFetchRequestResult {}",
      "func run<R>(_ make: (R) -> NSFetchRequest<Note>) {}", "func run(_ request: NSFetchRequest<Note>) {}",
    ]
  )
  func unchanged(source: String) {
    #expect(port(source).text == source)
  }
}
