import CoreData
import Seeding
import XCTest

/// The test of the guide that is written with XCTest.
final class GuideFixtureXCTests: XCTestCase {
  private var resources: GuideFixtures?
  private var bundle: Bundle { get throws { try XCTUnwrap(resources).bundle } }

  override func setUpWithError() throws { resources = try GuideFixtures() }

  override func tearDown() { resources = nil }

  func testANoteOutlivesItsCategory() throws {
    let context = try Seeder.fixture("library", in: bundle, model: .notes).viewContext
    let categories = NSFetchRequest<NSManagedObject>(entityName: "Category")
    context.delete(try XCTUnwrap(context.fetch(categories).first))
    try context.save()
    let notes = NSFetchRequest<NSManagedObject>(entityName: "Note")
    XCTAssertEqual(try context.count(for: notes), 1)
  }
}
