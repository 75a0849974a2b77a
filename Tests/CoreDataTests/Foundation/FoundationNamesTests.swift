import CoreData
import Foundation
import ModelFormats
import Testing

@Suite("The parts of Foundation that sources for Apple's platforms use")
struct FoundationNamesTests {
  @Test("the module's name selects one NSExpression in a file that imports Foundation as well")
  func qualifiedNames() {
    let expression: CoreData.NSExpression = NSExpression(forKeyPath: "title")
    let predicate: CoreData.NSComparisonPredicate? = nil
    #expect(expression.keyPath == "title")
    #expect(predicate == nil)
  }

  @Test("autoreleasepool returns its body's result, and rethrows its error")
  func pools() {
    struct Failure: Error {}
    #expect(autoreleasepool { 1 } == 1)
    #expect(throws: Failure.self) { try autoreleasepool { throw Failure() } }
  }

  @Test("classes name themselves for archives")
  func classForCoder() {
    #expect(Color.classForCoder() == Color.self)
  }

  @Test("models are read from the addresses that bundles answer with")
  func bundleURLs() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mom")
    try ModelDocument().compiled().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let url = try #require(NSURL(string: file.absoluteString))
    #expect(NSManagedObjectModel(contentsOf: url)?.entities == [])
    #expect(NSMappingModel(contentsOf: url) == nil)
  }

  @Test("a coordinator is made by its own class in class methods")
  func coordinators() {
    final class Coordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
      class func empty() -> Self { self.init(managedObjectModel: NSManagedObjectModel()) }
    }
    #expect(Coordinator.empty().persistentStores.isEmpty)
  }
}
