import CoreData
import Foundation
import Seeding
import TestModels
import TestSupport
import Testing

/// A file of cities and of their neighborhoods, which name their city.
struct CityFile: Codable {
  struct City: Codable {
    let name: String
    let country: String
  }

  struct Neighborhood: Codable {
    let name: String
    let inhabitants: Int64
    let city: String
  }

  let cities: [City]
  let neighborhoods: [Neighborhood]
}

/// A neighborhood whose city is neither in the file nor in the store.
struct UnknownCity: Error {
  let name: String
  let neighborhood: String
}

struct CityLoader {
  let context: NSManagedObjectContext

  /// Imports a whole file, or nothing.
  func load(_ data: Data) throws {
    let file = try JSONDecoder().decode(CityFile.self, from: data)
    try context.performAndWait {
      do {
        var cities = try objects("City")
        for record in file.cities {
          let city = object("City", record.name, in: &cities)
          city.setValue(record.country, forKey: "country")
        }
        var neighborhoods = try objects("Neighborhood")
        for record in file.neighborhoods {
          guard let city = cities[record.city] else {
            throw UnknownCity(name: record.city, neighborhood: record.name)
          }
          let neighborhood = object("Neighborhood", record.name, in: &neighborhoods)
          neighborhood.setValue(record.inhabitants, forKey: "inhabitants")
          neighborhood.setValue(city, forKey: "city")
        }
        try context.save()
      } catch {
        context.rollback()
        throw error
      }
    }
  }

  /// The objects of the store, by name: references may mean them, and records that are in the store make no new ones.
  private func objects(_ entity: String) throws -> [String: NSManagedObject] {
    let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
    return Dictionary(all.map { ($0.value(forKey: "name") as? String ?? "", $0) }) { first, _ in first }
  }

  private func object(
    _ entity: String,
    _ name: String,
    in known: inout [String: NSManagedObject]
  ) -> NSManagedObject {
    if let object = known[name] { return object }
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(name, forKey: "name")
    known[name] = object
    return object
  }
}

/// The users of a service that gives them in pages.
struct UserPages {
  let container: NSPersistentContainer

  /// Imports a page. The first page replaces all users in the store, and later pages add theirs.
  func take(_ list: Data, page: Int) async throws -> SeedReport {
    let answer = Data("{\"users\": ".utf8) + list + Data("}".utf8)
    var seeder = Seeder(.data(answer, name: "users-\(page).json"), policy: .always)
    seeder.pruning = page == 0 ? .all : .none
    return try await seeder.run(in: container)
  }
}

/// The programs that the guides quote: a loader of one's own, and a cache of pages.
@Suite("Programs in the guides")
struct OwnLoaderTests {
  private static func cities() -> NSManagedObjectModel {
    let city = makeEntity(
      "City",
      makeAttribute("name", .stringAttributeType, optional: false),
      makeAttribute("country", .stringAttributeType)
    )
    let neighborhood = makeEntity(
      "Neighborhood",
      makeAttribute("name", .stringAttributeType, optional: false),
      makeAttribute("inhabitants", .integer64AttributeType)
    )
    relate(city, "neighborhoods", isToMany: true, neighborhood, "city", isToMany: false)
    return makeModel([city, neighborhood])
  }

  private let first = """
    {"cities": [{"name": "Rotterdam", "country": "Netherlands"}, {"name": "Ghent", "country": "Belgium"}],
     "neighborhoods": [{"name": "Kralingen", "inhabitants": 51000, "city": "Rotterdam"}]}
    """

  private let second = """
    {"cities": [{"name": "Utrecht", "country": "Netherlands"}],
     "neighborhoods": [{"name": "Kralingen", "inhabitants": 52000, "city": "Rotterdam"},
                       {"name": "Lombok", "inhabitants": 9000, "city": "Utrecht"}]}
    """

  @Test(
    "the guide's own loader and a seeder give the same result for two versions of a file",
    arguments: TestStore.Kind.allCases
  )
  func loader(kind: TestStore.Kind) throws {
    let (own, seeded) = (try TestStore(kind, Self.cities()), try TestStore(kind, Self.cities()))
    let loader = CityLoader(context: own.newContext())
    for text in [first, second, second] {
      try loader.load(Data(text.utf8))
      try seeded.seed(text, name: "cities.json")
      for (entity, paths) in [("City", "country"), ("Neighborhood", "city.name")] {
        let lines = try own.lines(entity, "name", paths)
        #expect(try lines == seeded.lines(entity, "name", paths))
      }
    }
    #expect(
      try own.lines("Neighborhood", "name", "inhabitants", "city.name")
        == ["Kralingen|52000|Rotterdam", "Lombok|9000|Utrecht"]
    )
  }

  @Test(
    "the guide's own loader saves nothing of a file with a reference to a missing object",
    arguments: TestStore.Kind.allCases
  )
  func unknownCity(kind: TestStore.Kind) throws {
    let store = try TestStore(kind, Self.cities())
    let loader = CityLoader(context: store.newContext())
    let text = """
      {"cities": [{"name": "Rotterdam", "country": "Netherlands"}],
       "neighborhoods": [{"name": "Lombok", "inhabitants": 9000, "city": "Utrecht"}]}
      """
    let error = #expect(throws: UnknownCity.self) { try loader.load(Data(text.utf8)) }
    #expect(error?.name == "Utrecht" && error?.neighborhood == "Lombok")
    #expect(try store.count("City") == 0)
    try loader.load(Data(first.utf8))
    #expect(try store.count("City") == 2)
  }

  @Test("the guide's page loader replaces the store with the first page, and later pages add to it")
  func pages() async throws {
    let user = makeEntity(
      "User",
      makeAttribute("login", .stringAttributeType),
      makeAttribute("name", .stringAttributeType)
    )
    user.userInfo = ["identityAttributes": "login"]
    let folder = try TestFolder()
    let container = NSPersistentContainer(name: "Users", managedObjectModel: makeModel([user]))
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: folder.url.appendingPathComponent("Users.sqlite"))
    ]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let pages = UserPages(container: container)
    func take(_ logins: [String], page: Int) async throws -> SeedReport.Counts {
      let list = try JSONSerialization.data(withJSONObject: logins.map { ["login": $0] })
      return try await pages.take(list, page: page).total
    }
    func logins() throws -> [String] {
      let context = container.newBackgroundContext()
      return try context.performAndWait {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "User"))
          .compactMap { $0.value(forKey: "login") as? String }.sorted()
      }
    }
    #expect(try await take(["ada", "bea"], page: 0).created == 2)
    #expect(try await take(["cleo"], page: 1).created == 1)
    #expect(try await take(["dora"], page: 2).created == 1)
    #expect(try logins() == ["ada", "bea", "cleo", "dora"])
    // From the top again: who is on the first page stays the same object.
    let counts = try await take(["ada", "eve"], page: 0)
    #expect(counts.unchanged == 1 && counts.created == 1 && counts.deleted == 3)
    #expect(try logins() == ["ada", "eve"])
    // The second page has not changed, but is imported, because the first page has deleted its
    // objects.
    #expect(try await take(["cleo"], page: 1).created == 1)
    #expect(try logins() == ["ada", "cleo", "eve"])
  }
}
