import CoreData
import Foundation
import Seeding
import TestModels
import Testing

@testable import PerennialCommands

/// Links between chosen objects and the objects that a dump includes with them.
@Suite("Links of chosen objects in a dump")
struct DumpedLinksTests {
  /// The ways to choose objects.
  enum Way: CaseIterable {
    case command, browser
  }

  /// The side of a many-to-many relationship that is ordered.
  enum Order: CaseIterable {
    case none, near, far, both
  }

  private static func model(_ order: Order = .none) -> NSManagedObjectModel {
    let (recipe, category) = (
      makeEntity("Recipe", makeAttribute("name")), makeEntity("Category", makeAttribute("name"))
    )
    let tag = makeEntity("Tag", makeAttribute("name"))
    relate(
      recipe,
      "categories",
      isToMany: true,
      isOrdered: [.near, .both].contains(order),
      category,
      "recipes",
      isToMany: true
    )
    for case let inverse as NSRelationshipDescription in category.properties {
      inverse.isOrdered = [.far, .both].contains(order)
    }
    relate(recipe, "zest", isToMany: false, tag, "aim", isToMany: false)
    relate(tag, "near", isToMany: true, tag, "nearBy", isToMany: true)
    for entity in [recipe, category, tag] { entity.uniquenessConstraints = [["name"]] }
    return makeModel([recipe, category, tag])
  }

  /// Two recipes share a category. One of them also has a second category and a tag; three tags form a chain.
  private static let seed = """
    {"categories": [{"name": "c1", "recipes": ["r1", "r2"]}, {"name": "c2", "recipes": ["r2"]}],
     "recipes": [{"name": "r1"}, {"name": "r2", "zest": "t1"}],
     "tags": [{"name": "t1", "near": ["t2"]}, {"name": "t2", "near": ["t3"]}, {"name": "t3"}]}
    """

  private static func store(_ model: NSManagedObjectModel, _ seed: Data = Data(DumpedLinksTests.seed.utf8))
    throws
    -> NSPersistentStoreCoordinator
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    try Seeder(.data(seed, name: "seed.json")).runAndWait(in: coordinator)
    return coordinator
  }

  private static func dump(
    _ coordinator: NSPersistentStoreCoordinator,
    _ entity: String,
    _ name: String,
    _ way: Way
  ) throws -> DumpedSeed {
    switch way {
    case .command:
      let chosen = try #require(coordinator.managedObjectModel.entitiesByName[entity])
      let roots = DumpSelection.Roots.entities([(chosen, NSPredicate(format: "name == %@", name))])
      return try StoreDump(coordinator).seed(of: DumpSelection(roots: roots))
    case .browser:
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return try context.performAndWait {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name == %@", name)
        return try StoreDump(coordinator).seed(of: request, in: context, within: SeedSizeLimit())
      }
    }
  }

  /// The names of the objects that a relationship leads to.
  private static func names(
    _ coordinator: NSPersistentStoreCoordinator,
    _ entity: String,
    _ name: String,
    _ relationship: String
  ) throws -> [String] {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "name == %@", name)
      let found = try context.fetch(request)
      let objects = found.flatMap { object in
        object.entity.relationshipsByName[relationship]?.destinations(of: object) ?? []
      }
      return objects.compactMap { $0.value(forKey: "name") as? String }
    }
  }

  private static func counts(_ dump: DumpedSeed) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: dump.entities.map { ($0.name, $0.records.count) })
  }

  @Test(
    "many-to-many: a chosen object keeps its links, whichever entity sorts first",
    arguments: Way.allCases,
    Order.allCases
  )
  func manyToMany(way: Way, order: Order) throws {
    let model = Self.model(order)
    let coordinator = try Self.store(model)
    let recipe = try Self.dump(coordinator, "Recipe", "r1", way)
    #expect(Self.counts(recipe) == ["Recipe": 1, "Category": 1])
    let category = try Self.dump(coordinator, "Category", "c1", way)
    #expect(Self.counts(category) == ["Recipe": 2, "Category": 1, "Tag": 3])
    for (dump, expected) in [(recipe, ["r1"]), (category, ["r1", "r2"])] {
      let loaded = try Self.store(model, try SeedJSON.data(of: dump))
      let names = try Self.names(loaded, "Category", "c1", "recipes")
      #expect(dump.omissions.isEmpty && names.sorted() == expected)
      if order == .far { #expect(names == expected) }
      let again = try StoreDump(loaded).seed()
      #expect(try SeedJSON.data(of: again) == SeedJSON.data(of: dump))
    }
  }

  @Test("many-to-many: only the records of one entity have its links", arguments: ["Recipe", "Category"])
  func keys(entity: String) throws {
    let model = Self.model()
    let coordinator = try Self.store(model)
    let chosen = try #require(model.entitiesByName[entity])
    let dump = try StoreDump(coordinator).seed(
      of: DumpSelection(roots: .entities([(chosen, nil)]), references: .keys)
    )
    #expect(Self.counts(dump) == [entity: 2] && dump.omissions.isEmpty)
    let bare = """
      {"categories": [{"name": "c1"}, {"name": "c2"}], "recipes": [{"name": "r1"}, {"name": "r2"}],
       "tags": [{"name": "t1"}]}
      """
    let other = try Self.store(model, Data(bare.utf8))
    try Seeder(.data(try SeedJSON.data(of: dump), name: "links.json")).runAndWait(in: other)
    #expect(try Self.names(other, "Recipe", "r2", "categories").sorted() == ["c1", "c2"])
    #expect(try Self.names(other, "Category", "c1", "recipes").sorted() == ["r1", "r2"])
  }

  @Test("one-to-one: each side includes the other one", arguments: Way.allCases)
  func oneToOne(way: Way) throws {
    let model = Self.model()
    let coordinator = try Self.store(model)
    let tag = try Self.dump(coordinator, "Tag", "t1", way)
    #expect(Self.counts(tag)["Recipe"] == 1)
    let loaded = try Self.store(model, try SeedJSON.data(of: tag))
    #expect(try Self.names(loaded, "Recipe", "r2", "zest") == ["t1"])
    #expect(try Self.names(loaded, "Tag", "t1", "aim") == ["r2"])
  }

  @Test("many-to-many within an entity: both directions are kept", arguments: Way.allCases)
  func within(way: Way) throws {
    let model = Self.model()
    let coordinator = try Self.store(model)
    let loaded = try Self.store(model, try SeedJSON.data(of: Self.dump(coordinator, "Tag", "t2", way)))
    #expect(try Self.names(loaded, "Tag", "t2", "near") == ["t3"])
    #expect(try Self.names(loaded, "Tag", "t2", "nearBy") == ["t1"])
  }

  @Test("a dump with a depth leaves out links to objects that are further away")
  func depth() throws {
    let model = Self.model()
    let coordinator = try Self.store(model)
    let category = try #require(model.entitiesByName["Category"])
    for (depth, expected) in [
      (0, ["Category": 2]), (1, ["Category": 2, "Recipe": 2]), (2, ["Category": 2, "Recipe": 2, "Tag": 1]),
    ] {
      var selection = DumpSelection(roots: .entities([(category, nil)]))
      selection.depth = depth
      let dump = try StoreDump(coordinator).seed(of: selection)
      #expect(Self.counts(dump) == expected && dump.omissions.isEmpty)
      let loaded = try Self.store(model, try SeedJSON.data(of: dump))
      #expect(try Self.names(loaded, "Category", "c1", "recipes").count == (depth == 0 ? 0 : 2))
    }
  }
}
