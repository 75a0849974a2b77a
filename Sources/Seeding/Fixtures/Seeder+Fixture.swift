public import CoreData
public import Foundation
import Synchronization

extension Seeder {
  /// A new container for a test, whose in-memory store has the contents of a fixture: a seed, a
  /// folder of seeds, or a store.
  ///
  /// ```swift
  /// final class BedTests: XCTestCase {
  ///   func testThereAreBeds() throws {
  ///     let context = try Seeder.fixture("garden", in: .module, model: model).newBackgroundContext()
  ///     let beds = NSFetchRequest<NSManagedObject>(entityName: "Bed")
  ///     XCTAssertGreaterThan(try context.count(for: beds), 0)
  ///   }
  /// }
  /// ```
  ///
  /// The fixture is read once in a process, and each test has a copy that no other test sees (see ``SeedFixture``). A
  /// fixture with an environment, a profile or several sources is a ``SeedFixture`` of a seeder that has them.
  ///
  /// - Parameters:
  ///   - name: The name of a resource: `library.json`, `Fixtures/library.json`, `library.sqlite`, a
  ///     folder; or `library` where one format alone has that name.
  ///   - bundle: The bundle with the resource, such as `.module`; nil for the resources of all targets of the program.
  ///   - model: The model, one object for all tests; nil for all models of the program's resources, merged.
  /// - Returns: A container with an open store.
  /// - Throws: A `SeedError`, with the code `unreadable-file` if the resource or the model does not
  ///   exist; or the fixture's own error.
  public static func fixture(
    _ name: String,
    in bundle: Bundle? = nil,
    model: NSManagedObjectModel? = nil
  ) throws -> NSPersistentContainer {
    let model = try model ?? FixtureModel.shared()
    return try FixtureCache.shared.fixture(name, in: bundle, model: model).container()
  }
}

/// The model of fixtures without a model of their own. It is loaded once, because each model object
/// has entities of its own.
// The model is not changed by anybody.
private struct FixtureModel: @unchecked Sendable {
  private static let merged = FixtureModel(model: NSManagedObjectModel.mergedModel(from: nil))
  private let model: NSManagedObjectModel?

  static func shared() throws -> NSManagedObjectModel {
    if let model = merged.model { return model }
    throw SeedError(
      code: .unreadableFile,
      problem: "no model is among the program's resources, or one of them cannot be read",
      remedy: "give the fixture its model"
    )
  }
}

/// The fixtures of resources, as long as the process lives.
private final class FixtureCache: Sendable {
  static let shared = FixtureCache()

  private struct Key: Hashable {
    let name: String
    let bundle: URL?
    // The fixture keeps the model alive.
    let model: ObjectIdentifier
  }

  private let fixtures = Mutex<[Key: SeedFixture]>([:])

  func fixture(_ name: String, in bundle: Bundle?, model: NSManagedObjectModel) throws -> SeedFixture {
    let key = Key(name: name, bundle: bundle?.bundleURL, model: ObjectIdentifier(model))
    let known = fixtures.withLock { $0[key] }
    if let known { return known }
    let file = try FixtureResource(name: name, bundle: bundle).find()
    let new =
      file.pathExtension == FixtureResource.storeExtension
      ? SeedFixture(ShippedStore.file(file), model: model, name: name)
      : SeedFixture(Seeder(Self.source(file, name: name)), model: model, name: name)
    // Another test may have been faster.
    return fixtures.withLock { fixtures in
      let fixture = fixtures[key] ?? new
      fixtures[key] = fixture
      return fixture
    }
  }

  private static func source(_ file: URL, name: String) -> SeedSource {
    var source = SeedSource.file(file)
    source.name = name
    return source
  }
}
