import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("A chain of lightweight migrations")
struct MigrationChainTests {
  /// The stores and ways in which a chain is migrated, with the number of chains for each.
  enum Way: String, CaseIterable, Sendable {
    case inSQLite, byObjectsInSQLite, inXML, inPostgreSQL

    static let allCases: [Way] =
      [.inSQLite, .byObjectsInSQLite, .inXML] + (StoreKind.postgreSQLServer == nil ? [] : [.inPostgreSQL])

    var kind: StoreKind {
      switch self {
      case .inSQLite, .byObjectsInSQLite: .sqlite
      case .inXML: .xml
      case .inPostgreSQL: .postgreSQL
      }
    }

    var migration: MigrationWay {
      switch self {
      case .inSQLite: .inDatabase
      case .byObjectsInSQLite, .inXML: .byObjects
      case .inPostgreSQL: .inPostgreSQL
      }
    }

    var chains: UInt64 { UInt64(Soak.rounds(self == .inSQLite ? 100 : self == .inPostgreSQL ? 10 : 50)) }
  }

  @Test(
    "a chain of migrations keeps the same as a plain model of columns, whatever identifiers stay",
    arguments: Way.allCases
  )
  func chains(_ way: Way) throws {
    for seed in 0..<way.chains {
      var chain = ModelChain(seed: seed, reusesNames: true)
      var content = ChainContent(seed: seed)
      let store = try VersionedStore(chain.contents(of: 0), on: way.kind) { context in
        content.change(chain.versions[0])
        try content.write(chain.versions[0], into: context)
      }
      for index in 1...4 {
        chain.addVersion()
        let version = chain.versions[index]
        let source = try VersionedStore.model(chain.contents(of: index - 1))
        let context = try store.migrate(chain.contents(of: index), way.migration, from: source)
        content.migrate(from: chain.versions[index - 1], to: version)
        let found = try ChainContent.lines(of: version, in: context)
        try #require(found == content.lines(of: version), "seed \(seed), version \(index)")
        content.change(version)
        try content.write(version, into: context)
        try context.save()
      }
    }
  }
}

extension MigrationChainTests {
  @Test(
    "a chain of migrations keeps the names of join tables, however Apple's framework has chosen them",
    arguments: [Way.inSQLite, .byObjectsInSQLite]
  )
  func joinNames(_ way: Way) throws {
    var compared = 0
    for seed in 0..<way.chains {
      var chain = ModelChain(seed: seed, reusesNames: true)
      var content = ChainContent(seed: seed)
      let store = try VersionedStore(chain.contents(of: 0), on: way.kind) { context in
        content.change(chain.versions[0])
        try content.write(chain.versions[0], into: context)
      }
      var source = try VersionedStore.model(chain.contents(of: 0))
      var names = AppleJoinNames(seed: seed)
      for index in 1...4 {
        // A store of Apple's may already have been migrated by this library.
        let chosen = try names.choose(in: store, source)
        let before = try ChainJoin.all(of: chain.versions[index - 1], in: store, source)
        chain.addVersion()
        let version = chain.versions[index]
        let model = try VersionedStore.model(chain.contents(of: index))
        let context = try store.migrate(chain.contents(of: index), way.migration, from: source)
        content.migrate(from: chain.versions[index - 1], to: version)
        let found = try ChainContent.lines(of: version, in: context)
        try #require(found == content.lines(of: version), "seed \(seed), version \(index)")
        content.change(version)
        try content.write(version, into: context)
        try context.save()
        try store.close()
        for (number, join) in try ChainJoin.all(of: version, in: store, model) {
          guard let former = before[number], former.owners == join.owners else { continue }
          try #require(former.names == join.names, "seed \(seed), version \(index), relationship \(number)")
          compared += chosen
        }
        source = model
      }
    }
    #expect(compared > 0)
  }
}

/// The join table of a many-to-many relationship in a version of a chain.
private struct ChainJoin {
  /// The numbers of both entities in the store, and the names of both relationships. The names of tables are built from them.
  let owners: [String]
  let names: [String]

  /// The join tables, by the relationships' numbers in the chain.
  static func all(
    of version: ModelChain.Version,
    in store: VersionedStore,
    _ model: NSManagedObjectModel
  ) throws -> [Int: ChainJoin] {
    var found: [Int: ChainJoin] = [:]
    for join in try AppleJoinNames.joins(of: store, model) {
      let columns = version.entities.first { $0.name == join.first.entity }?.columns ?? []
      guard let column = columns.first(where: { $0.name == join.first.relationship }),
        case .relationship(_, let inverse, _) = column.kind
      else { continue }
      // A version may swap the names of both relationships.
      let ends = column.number <= inverse ? [join.first, join.second] : [join.second, join.first]
      let both = ChainJoin(owners: ends.map { "\($0.number).\($0.relationship)" }, names: join.names)
      found[min(column.number, inverse)] = both
    }
    return found
  }
}

/// The content of a store as plain values, by the numbers of entities and columns.
private struct ChainContent {
  struct Object {
    let key: Int
    let entity: Int
    /// The values of columns and of elements of composite columns.
    var values: [Int: String] = [:]
    /// The keys of the related objects.
    var links: [Int: Set<Int>] = [:]
  }

  private var objects: [Object] = []
  private var random: SplitMix
  private var last = 0

  init(seed: UInt64) { random = SplitMix(seed: seed ^ 0xC0) }

  /// Removes the values that the newer version does not have.
  mutating func migrate(from old: ModelChain.Version, to new: ModelChain.Version) {
    objects.removeAll { new.entity($0.entity) == nil }
    let keys = Set(objects.map(\.key))
    for place in objects.indices {
      let columns = new.entity(objects[place].entity)?.columns ?? []
      let numbers = Set(columns.map(\.number) + columns.flatMap(\.elements).map(\.number))
      objects[place].values = objects[place].values.filter { numbers.contains($0.key) }
      objects[place].links = objects[place].links.filter { numbers.contains($0.key) }
        .mapValues { $0.intersection(keys) }
    }
  }

  /// Adds objects, sets missing values, and adds links.
  mutating func change(_ version: ModelChain.Version) {
    for entity in version.entities {
      for _ in 0..<(objects.contains { $0.entity == entity.number } ? 1 : 3) {
        last += 1
        objects.append(Object(key: last, entity: entity.number))
      }
    }
    for place in objects.indices {
      for column in version.entity(objects[place].entity)?.columns ?? [] {
        switch column.kind {
        case .text: setValue(column, place)
        case .composite(let elements): for element in elements { setValue(element, place) }
        case .relationship(let destination, let inverse, let isToMany):
          // Each pair of objects is linked from one side.
          if !isToMany || column.number < inverse {
            link(place, column.number, destination, inverse, isToMany)
          }
        }
      }
    }
  }

  private mutating func setValue(_ column: ModelChain.Column, _ place: Int) {
    if objects[place].values[column.number] != nil || Int.random(in: 0..<4, using: &random) == 0 { return }
    objects[place].values[column.number] = "\(column.number) of \(objects[place].key)"
  }

  private mutating func link(
    _ place: Int,
    _ column: Int,
    _ destination: Int,
    _ inverse: Int,
    _ isToMany: Bool
  ) {
    let targets = objects.indices.filter { objects[$0].entity == destination }
    guard let target = targets.randomElement(using: &random),
      isToMany || objects[place].links[column]?.isEmpty ?? true
    else { return }
    objects[place].links[column, default: []].insert(objects[target].key)
    objects[target].links[inverse, default: []].insert(objects[place].key)
  }

  /// Writes this content into a context.
  func write(_ version: ModelChain.Version, into context: NSManagedObjectContext) throws {
    var managed: [Int: NSManagedObject] = [:]
    for entity in version.entities {
      for object in try context.all(entity.name, by: "key") {
        managed[object.value(forKey: "key") as? Int ?? 0] = object
      }
    }
    for object in objects where managed[object.key] == nil {
      managed[object.key] = context.make(version.entity(object.entity)?.name ?? "", ["key": object.key])
    }
    for object in objects {
      let target = managed[object.key]
      for column in version.entity(object.entity)?.columns ?? [] {
        switch column.kind {
        case .text: target?.setValue(object.values[column.number], forKey: column.name)
        case .composite(let elements):
          let values = elements.compactMap { element in
            object.values[element.number].map { (element.name, $0) }
          }
          let value: [String: Any]? = values.isEmpty ? nil : Dictionary(uniqueKeysWithValues: values)
          target?.setValue(value, forKey: column.name)
        case .relationship(_, let inverse, let isToMany):
          let destinations = (object.links[column.number] ?? []).compactMap { managed[$0] }
          if !isToMany {
            target?.setValue(destinations.first, forKey: column.name)
          } else if column.number < inverse {
            target?.setValue(NSSet(array: destinations), forKey: column.name)
          }
        }
      }
    }
  }

  // MARK: - As text

  /// A line for each object.
  func lines(of version: ModelChain.Version) -> [String] {
    objects.sorted { $0.key < $1.key }.map { object in
      let parts = (version.entity(object.entity)?.columns ?? []).flatMap { column -> [String] in
        switch column.kind {
        case .text, .composite:
          ([column] + column.elements).compactMap { part in
            object.values[part.number].map { "\(part.number): \($0)" }
          }
        case .relationship: ["\(column.number) -> \((object.links[column.number] ?? []).sorted())"]
        }
      }
      return Self.line(object.key, object.entity, parts)
    }
  }

  static func lines(of version: ModelChain.Version, in context: NSManagedObjectContext) throws -> [String] {
    var lines: [(key: Int, line: String)] = []
    for entity in version.entities {
      for object in try context.all(entity.name, by: "key") {
        let key = object.value(forKey: "key") as? Int ?? 0
        let parts = entity.columns.flatMap { Self.parts(of: $0, in: object) }
        lines.append((key, line(key, entity.number, parts)))
      }
    }
    return lines.sorted { $0.key < $1.key }.map(\.line)
  }

  private static func parts(of column: ModelChain.Column, in object: NSManagedObject) -> [String] {
    switch column.kind {
    case .text: return object.text(column.name).map { ["\(column.number): \($0)"] } ?? []
    case .composite(let elements):
      let values = object.value(forKey: column.name) as? [String: Any] ?? [:]
      return elements.compactMap { element in
        (values[element.name] as? String).map { "\(element.number): \($0)" }
      }
    case .relationship(_, _, let isToMany):
      let destinations: [Any] =
        isToMany
        ? (object.value(forKey: column.name) as? NSSet)?.allObjects ?? []
        : [object.object(column.name)].compactMap(\.self)
      let keys = destinations.compactMap { ($0 as? NSManagedObject)?.value(forKey: "key") as? Int }
      return ["\(column.number) -> \(keys.sorted())"]
    }
  }

  private static func line(_ key: Int, _ entity: Int, _ parts: [String]) -> String {
    "\(key) of entity \(entity): \(parts.sorted().joined(separator: ", "))"
  }
}
