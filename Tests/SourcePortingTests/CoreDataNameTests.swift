import SourcePorting
import Testing

@Suite("Names of Core Data that are Apple's alone")
struct CoreDataNameTests {
  @Test("the case of confinementConcurrencyType goes into a condition")
  func confinement() {
    let file = port("switch type {\ncase .confinementConcurrencyType: // old\n  f()\ncase .a: g()\n}\n")
    #expect(
      file.text == """
        switch type {
        #if canImport(ObjectiveC)
        case .confinementConcurrencyType: // old
          f()
        #endif
        case .a: g()
        }

        """
    )
    #expect(port(file.text).text == file.text)
    #expect(leftovers(file.text).isEmpty)
  }

  @Test(
    "confinementConcurrencyType elsewhere is listed",
    arguments: [
      "let a = Context(concurrencyType: .confinementConcurrencyType)",
      "switch type { case .confinementConcurrencyType, .a: f()\ndefault: break }",
      "switch type { case .confinementConcurrencyType: f()\ndefault: break }",
    ]
  )
  func listed(code: String) {
    #expect(port(code).text == code)
    #expect(leftovers(code).count == 1)
  }

  @Test("objectWillChange is listed, unless a type here declares it")
  func publisher() {
    #expect(leftovers("note.objectWillChange.send()").count == 1)
    #expect(leftovers("class A {\n  var objectWillChange: P\n}\na.objectWillChange.send()").isEmpty)
  }

  @Test("a test case as the delegate of a results controller is listed")
  func delegate() {
    let code = "class A: XCTestCase, NSFetchedResultsControllerDelegate {}"
    #expect(leftovers(code).first?.contains("make a class of NSObject the delegate") == true)
    #expect(
      leftovers("class A: XCTestCase {}\nextension A: NSFetchedResultsControllerDelegate {}").count == 1
    )
    #expect(leftovers("class A: NSObject, NSFetchedResultsControllerDelegate {}").isEmpty)
  }

  @Test("what needs Spotlight is listed with its condition, and a container for CloudKit is there")
  func otherFrameworks() {
    #expect(
      leftovers("let a: NSCoreDataCoreSpotlightDelegate").first?.hasSuffix("#if canImport(CoreSpotlight)")
        == true
    )
    #expect(leftovers("let a: NSPersistentCloudKitContainer").isEmpty)
  }
}
