import CoreData
import Foundation
import Seeding
import Testing
import XCTest

private let model = ExampleModel.shared

// example: SeedFixture.swift class SeedFixture
@Suite struct GardenTests {
  static let garden = SeedFixture(Seeder(.bundle(.module, "garden.json")), model: model)

  @Test func eachBedHasPlants() throws {
    let context = try Self.garden.container().newBackgroundContext()
    let empty = try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Bed")
      request.predicate = NSPredicate(format: "plants.@count == 0")
      return try context.count(for: request)
    }
    #expect(empty == 0)
  }
}
// end

// example: Seeder+Fixture.swift static func fixture(
final class BedTests: XCTestCase {
  func testThereAreBeds() throws {
    let context = try Seeder.fixture("garden", in: .module, model: model).newBackgroundContext()
    let beds = NSFetchRequest<NSManagedObject>(entityName: "Bed")
    XCTAssertGreaterThan(try context.count(for: beds), 0)
  }
}
// end

@Suite("Examples of fixtures")
struct FixtureExamples {
  @Test("each test has a copy that no other test sees")
  func container() throws {
    // example: SeedFixture.swift func container() throws
    let garden = SeedFixture(Seeder(.bundle(.module, "garden.json")), model: model)
    let mine = try garden.container().newBackgroundContext()
    let theirs = try garden.container().newBackgroundContext()

    let beds = NSFetchRequest<NSManagedObject>(entityName: "Bed")
    for bed in try mine.fetch(beds) { mine.delete(bed) }
    try mine.save()
    print(try mine.count(for: beds), try theirs.count(for: beds))  // 0 2
    // end
    #expect(try theirs.count(for: beds) == 2)
  }

  @Test("a store in memory is filled for a coordinator of one's own")
  func add() throws {
    let garden = SeedFixture(Seeder(.bundle(.module, "garden.json")), model: model)
    // example: SeedFixture.swift func add(to coordinator
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try garden.add(to: coordinator)
    print(store.type)  // InMemory
    // end
    #expect(store.type == NSInMemoryStoreType)
  }
}
