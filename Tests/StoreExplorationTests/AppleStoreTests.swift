import Foundation
import StoreExploration
import TestSupport
import Testing

@testable import CoreData

/// Questions about stores that Apple's framework made. Each question must have an answer.
@Suite(.enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"))
struct AppleStoreTests {
  /// The stores that contain their model.
  static let stores = SharedFolder.fixtures.filter { path in
    path.hasSuffix(".sqlite") && !path.contains("recipes") || path.hasSuffix(".moody")
  }

  /// Opens a copy, because SQLite may write files next to the store while it reads.
  private static func open(_ path: String) throws -> GardenStore {
    let source = SharedFolder.fixture(path)
    let folder = try TestFolder()
    let url = folder.url.appendingPathComponent("Copy.sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source.path + suffix) {
      try FileManager.default.copyItem(atPath: source.path + suffix, toPath: url.path + suffix)
    }
    let model = try NSManagedObjectModel(cachedIn: url)
    return try GardenStore(model: model, copying: url)
  }

  @Test(arguments: stores)
  func `Facets count all objects, whatever the property`(path: String) async throws {
    let store = try Self.open(path)
    for entity in store.coordinator.managedObjectModel.entities.compactMap(\.name).sorted() {
      let facets = try Facets(entity: entity, in: store.coordinator)
      for property in facets.properties {
        let facet = try await facets.facet(by: property, within: .seconds(3600))
        let told = facet.values.reduce(0) { $0 + $1.count }
        #expect(told + facet.nullCount + facet.otherCount == facet.totalCount, "\(entity).\(property)")
        for value in facet.values.prefix(5) {
          guard let text = value.predicate else { continue }
          let narrowed = try Facets(entity: entity, predicate: text, in: store.coordinator)
          #expect(try await narrowed.facet(by: property).totalCount == value.count, "\(text)")
        }
      }
    }
  }

  @Test(arguments: stores)
  func `What a deletion takes along and what nothing refers to is found`(path: String) async throws {
    let store = try Self.open(path)
    for entity in store.coordinator.managedObjectModel.entities where !entity.isAbstract {
      let name = entity.name ?? ""
      let ids = try store.write { context in
        let request = NSFetchRequest<NSManagedObjectID>(entityName: name)
        request.resultType = .managedObjectIDResultType
        request.fetchLimit = 20
        return try context.fetch(request)
      }
      let preview = try await Deletions(in: store.coordinator).preview(of: ids, within: .seconds(3600))
      #expect(preview.deletedCount >= ids.count && preview.missing.isEmpty && preview.limit == nil)
      let orphans = try await Orphans(entity: name, in: store.coordinator).objects(within: .seconds(3600))
      #expect(orphans.objects.allSatisfy { !$0.name.isEmpty })
    }
  }

  @Test(arguments: stores)
  func `A store is equal to its copy, and its history is told where it has one`(path: String) async throws {
    let (one, other) = (try Self.open(path), try Self.open(path))
    let comparison = try StoreComparison(from: one.coordinator, to: other.coordinator)
    let counts = try await comparison.run { Issue.record("\($0)") }
    #expect(counts.values.allSatisfy { $0.areEqual })
    let timeline = Timeline(in: one.coordinator)
    guard timeline.hasHistory else { return }
    let page = try await timeline.page()
    #expect(page.transactions.allSatisfy { !$0.bundle.isEmpty && $0.date > .distantPast })
  }

  @Test(arguments: stores)
  func `Each completion at the beginning of a predicate is one that the store can be asked`(path: String)
    async throws
  {
    let store = try Self.open(path)
    for entity in store.coordinator.managedObjectModel.entities.compactMap(\.name).sorted() {
      let assistant = try PredicateAssistant(
        entity: entity,
        in: store.coordinator,
        timeForValues: .seconds(3600)
      )
      for completion in await assistant.completions(of: "", at: 0) where completion.kind == .attribute {
        let text = "\(completion.text) != NULL"
        if let problem = assistant.problem(in: text) {
          #expect(problem.message.contains("composite"), "\(entity): \(text): \(problem)")
        }
        let values = await assistant.completions(
          of: "\(completion.text) == ",
          at: completion.text.utf16.count + 4
        )
        for value in values where value.kind == .value {
          #expect(assistant.problem(in: "\(completion.text) == \(value.text)") == nil)
        }
      }
    }
  }
}
