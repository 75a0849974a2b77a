import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("Names of join tables that the model does not determine")
struct JoinNameTests {
  private static let ways: [MigrationWay] = [.inDatabase, .byObjects]

  /// People who follow each other in order, and groups with people as members and as guests.
  private static func model(
    person: String = "Person",
    following: String = "following",
    _ attributes: String = "",
    more: String = "",
    identifiers: Bool = false
  ) -> String {
    func identifier(_ name: String) -> String { identifiers ? "elementID=\"\(name)\"" : "" }
    func many(_ name: String, _ entity: String, _ inverse: String, _ rest: String = "") -> String {
      """
      <relationship name="\(name)" optional="YES" toMany="YES" destinationEntity="\(entity)" inverseName="\(inverse)" \
      inverseEntity="\(entity)" \(rest)/>
      """
    }
    let name = #"<attribute name="name" attributeType="String" optional="YES"/>"#
    return """
      <entity name="\(person)" \(identifier("Person"))>\(name)\(attributes)\
      \(many(following, person, "followers", "ordered=\"YES\" " + identifier("following")))\
      \(many("followers", person, following))\
      \(many("clubs", "Club", "people"))\(many("teams", "Team", "people"))</entity>
      <entity name="Club">\(name)\(many("people", person, "clubs"))</entity>
      <entity name="Team">\(name)\(many("people", person, "teams"))</entity>\(more)
      """
  }

  private static func fill(_ context: NSManagedObjectContext) {
    let people = ["a", "b", "c"].map { context.make("Person", ["name": $0]) }
    people[0].setValue(NSOrderedSet(array: [people[2], people[1]]), forKey: "following")
    people[1].setValue(NSOrderedSet(array: [people[1]]), forKey: "following")
    context.make("Club", ["name": "x", "people": NSSet(array: [people[0], people[1]])])
    context.make("Team", ["name": "y", "people": NSSet(array: [people[2]])])
  }

  private func expectContent(
    _ context: NSManagedObjectContext,
    person: String = "Person",
    following: String = "following",
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let people = try context.all(person)
    #expect(people.map { $0.names(following) } == [["c", "b"], ["b"], []], sourceLocation: location)
    #expect(people.map { $0.names("followers") } == [[], ["a", "b"], ["a"]], sourceLocation: location)
    #expect(try context.all("Club").map { $0.names("people") } == [["a", "b"]], sourceLocation: location)
    #expect(try context.all("Team").map { $0.names("people") } == [["c"]], sourceLocation: location)
  }

  /// A store in which every join table and column has the other possible name.
  private func appleStore() throws -> VersionedStore {
    let store = try VersionedStore(Self.model(), Self.fill)
    var names = AppleJoinNames(seed: 1)
    try names.choose(in: store, VersionedStore.model(Self.model()), always: true)
    #expect(try Self.names(store, Self.model()) == Self.chosen)
    return store
  }

  private static func names(_ store: VersionedStore, _ model: String) throws -> [[String]] {
    try AppleJoinNames.joins(of: store, VersionedStore.model(model)).map(\.names).sorted { $0[0] < $1[0] }
  }

  private static let chosen = [
    ["Z_1PEOPLE", "Z_2PEOPLE1", "Z_1CLUBS", "-", "-"],
    ["Z_2FOLLOWERS", "Z_2FOLLOWING", "Z_2FOLLOWERS", "Z_FOK_2FOLLOWING", "-"],
    ["Z_2TEAMS", "Z_3TEAMS", "Z_2PEOPLE", "-", "-"],
  ]

  @Test("existing names of join tables are used, in either order of columns and numbers")
  func read() throws {
    let store = try appleStore()
    let context = try store.open(VersionedStore.model(Self.model()))
    try expectContent(context)
    let people = try context.all("Person")
    people[2].setValue(NSOrderedSet(array: [people[0], people[1]]), forKey: "following")
    try context.save()
    try store.close()
    let again = try store.open(VersionedStore.model(Self.model()))
    #expect(try again.all("Person").map { $0.names("following") } == [["c", "b"], ["b"], ["a", "b"]])
  }

  @Test("join tables keep their names when the model gets an attribute", arguments: ways)
  func kept(_ way: MigrationWay) throws {
    let store = try appleStore()
    let before = try Self.names(store, Self.model())
    let new = Self.model(#"<attribute name="age" attributeType="Integer 16" optional="YES"/>"#)
    try expectContent(try store.migrate(new, way))
    try store.close()
    #expect(try Self.names(store, new) == before)
    // The indexes begin with the second column.
    let indexes: [String] = try store.query(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL AND name LIKE 'Z\\_%' ESCAPE '\\' ORDER BY 1"
    )
    #expect(indexes == before.map { "\($0[0])_\($0[2])_INDEX" }.sorted())
  }

  @Test("join tables keep the kind of their names when entities are renumbered", arguments: ways)
  func renumbered(_ way: MigrationWay) throws {
    let store = try appleStore()
    let before = try Self.names(store, Self.model())
    let new = Self.model(more: #"<entity name="Aaa"/>"#)
    try expectContent(try store.migrate(new, way))
    try store.close()
    let numbers = before.map { names in names.map(Self.countedUp) }
    #expect(try Self.names(store, new) == numbers)
  }

  /// A name in which the number of the entity is one higher.
  private static func countedUp(_ name: String) -> String {
    for number in [3, 2, 1] where name.hasPrefix("Z_\(number)") || name.hasPrefix("Z_FOK_\(number)") {
      return name.replacing("\(number)", with: "\(number + 1)", maxReplacements: 1)
    }
    return name
  }

  @Test("join tables keep the kind of their names after a renaming", arguments: ways)
  func renamed(_ way: MigrationWay) throws {
    let store = try appleStore()
    var new = Self.model(person: "Person", following: "idols", identifiers: true)
    try expectContent(try store.migrate(new, way), following: "idols")
    try store.close()
    #expect(
      try Self.names(store, new)[1] == ["Z_2FOLLOWERS", "Z_2IDOLS", "Z_2FOLLOWERS", "Z_FOK_2IDOLS", "-"]
    )
    // The entity sorts first under the name Adult, and last under the name Zoe.
    for person in ["Adult", "Zoe"] {
      new = Self.model(person: person, following: "idols", identifiers: true)
      try expectContent(try store.migrate(new, way), person: person, following: "idols")
      try store.close()
      let number = person == "Adult" ? 1 : 3
      let names = try Self.names(store, new).first { $0[0].hasSuffix("FOLLOWERS") }
      #expect(
        names == [
          "Z_\(number)FOLLOWERS", "Z_\(number)IDOLS", "Z_\(number)FOLLOWERS", "Z_FOK_\(number)IDOLS", "-",
        ]
      )
    }
  }

  @Test("join tables keep their names when a deferred cleanup reshapes a store")
  func deferred() throws {
    let old = Self.model(#"<attribute name="age" attributeType="Integer 16" optional="YES"/>"#)
    let store = try VersionedStore(old, Self.fill)
    var apple = AppleJoinNames(seed: 1)
    try apple.choose(in: store, VersionedStore.model(old), always: true)
    let options = VersionedStore.automatic.merging([
      NSPersistentStoreDeferredLightweightMigrationOptionKey: true
    ]) { $1 }
    let context = try store.open(VersionedStore.model(Self.model()), options: options)
    try context.persistentStoreCoordinator?.finishDeferredLightweightMigration()
    try expectContent(context)
    try store.close()
    #expect(try Self.names(store, Self.model()) == Self.chosen)
  }

  @Test("names of join tables are noted if chosen here, but not if a migration kept them", arguments: ways)
  func notes(_ way: MigrationWay) throws {
    func noted(_ store: VersionedStore) throws -> [String] {
      let check = try SQLiteStoreCheck(store: store.file, model: nil)
      #expect(try check.findings() == [])
      let notes = try check.notes()
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        type: .sqlite,
        at: store.file
      )
      let listed = metadata["PerennialJoinTables"] as? [String] ?? []
      #expect(notes.count == listed.count)
      for (note, table) in zip(notes.sorted { $0.words < $1.words }, listed) {
        #expect(note.words.contains(" \(table) "))
      }
      return listed
    }
    let own = try VersionedStore(Self.model(), Self.fill)
    // The columns of people in clubs and in teams would have the same name, so one of them gets a number.
    let all = ["Z_1PEOPLE", "Z_2FOLLOWING", "Z_2TEAMS"]
    #expect(try noted(own) == all)
    let age = #"<attribute name="age" attributeType="Integer 16" optional="YES"/>"#
    _ = try own.migrate(Self.model(age), way)
    try own.close()
    #expect(try noted(own) == all)
    let apple = try appleStore()
    // Tables that were renamed by hand are not in the store's list of names. A store of Apple's has no such list.
    try forgetGuesses(apple)
    #expect(try noted(apple) == [])
    _ = try apple.migrate(Self.model(age), way)
    try apple.close()
    #expect(try noted(apple) == [])
    // A name that is derived from the relationship's new name is a guess again.
    let source = try VersionedStore.model(Self.model(age))
    _ = try apple.migrate(Self.model(following: "idols", age, identifiers: true), way, from: source)
    try apple.close()
    #expect(try noted(apple) == ["Z_2FOLLOWERS"])
  }

  @Test("a model that determines all names of join tables ignores the existing ones")
  func told() throws {
    let model = """
      <entity name="Note"><relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" \
      inverseName="notes" inverseEntity="Tag"/><relationship name="friends" optional="YES" toMany="YES" \
      destinationEntity="Note" inverseName="friends" inverseEntity="Note"/></entity>
      <entity name="Tag"><relationship name="notes" optional="YES" toMany="YES" destinationEntity="Note" \
      inverseName="tags" inverseEntity="Note"/></entity>
      """
    let store = try VersionedStore(model)
    #expect(try SQLiteStoreCheck(store: store.file, model: nil).notes() == [])
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: store.file
    )
    #expect(metadata["PerennialJoinTables"] == nil)
  }

  @Test("a relationship does not use the join table of another one that is named with a number")
  func numbers() throws {
    func pair(_ name: String, _ inverse: String) -> String {
      [(name, inverse), (inverse, name)].map { name, inverse in
        """
        <relationship name="\(name)" optional="YES" toMany="YES" destinationEntity="Person" inverseName="\(inverse)" \
        inverseEntity="Person"/>
        """
      }.joined()
    }
    let model = """
      <entity name="Person"><attribute name="name" attributeType="String" optional="YES"/>\
      \(pair("friends", "likedBy") + pair("friends1", "likedBy1"))</entity>
      """
    let store = try VersionedStore(model) { context in
      let people = ["a", "b", "c"].map { context.make("Person", ["name": $0]) }
      people[0].setValue(NSSet(object: people[1]), forKey: "friends")
      people[0].setValue(NSSet(object: people[2]), forKey: "friends1")
    }
    try store.execute("ALTER TABLE Z_1LIKEDBY RENAME TO Z_1FRIENDS")
    let person = try #require(try store.open(VersionedStore.model(model)).all("Person").first)
    #expect(person.names("friends") == ["b"])
    #expect(person.names("friends1") == ["c"])
  }

  @Test("join tables are found however many relationships want the same name")
  func many() throws {
    let names = (10..<40).map { "Group\($0)" }
    let groups = names.map { name in
      """
      <entity name="\(name)"><attribute name="name" attributeType="String" optional="YES"/><relationship name="people" \
      optional="YES" toMany="YES" destinationEntity="Person" inverseName="in\(name)" inverseEntity="Person"/></entity>
      """
    }
    let links = names.map { name in
      """
      <relationship name="in\(name)" optional="YES" toMany="YES" destinationEntity="\(name)" inverseName="people" \
      inverseEntity="\(name)"/>
      """
    }
    let person =
      "<entity name=\"Person\"><attribute name=\"name\" attributeType=\"String\" optional=\"YES\"/>"
    let model = person + links.joined() + "</entity>" + groups.joined()
    let store = try VersionedStore(model) { context in
      for name in names {
        context.make(name, ["people": NSSet(object: context.make("Person", ["name": name]))])
      }
    }
    let columns: [String] = try store.query(
      "SELECT p.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE p.name LIKE 'Z\\_31PEOPLE%' ESCAPE '\\'"
    )
    #expect(Set(columns).count == names.count)
    let context = try store.open(VersionedStore.model(model))
    for name in names { #expect(try context.all(name).map { $0.names("people") } == [[name]]) }
    try store.close()
    let new = model + #"<entity name="Aaa"/>"#
    let migrated = try store.migrate(new)
    for name in names { #expect(try migrated.all(name).map { $0.names("people") } == [[name]]) }
  }

  /// Removes the store's list of names that were chosen here.
  private func forgetGuesses(_ store: VersionedStore) throws {
    let connections = try SQLiteConnections(file: store.file, isReadOnly: false, pragmas: [], timeout: 1)
    try connections.write { database in
      var metadata = try #require(try StoreMetadata.read(from: database, file: store.file))
      metadata.properties["PerennialJoinTables"] = nil
      try metadata.write(to: database, file: store.file, isNew: false)
    }
    try connections.close()
  }
}
