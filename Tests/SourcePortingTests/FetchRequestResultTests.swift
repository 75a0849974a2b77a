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
    let protocolText = "protocol Inspector {\n  \(source)\n}\n"
    let clause = source.drop { $0 != "<" }.prefix { $0 != ">" } + ">"
    #expect(port(protocolText).text == protocolText.replacing(clause, with: expected, maxReplacements: 1))
    #expect(port(protocolText).leftovers.isEmpty)
    #expect(!port(port(protocolText).text).isChanged)
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
