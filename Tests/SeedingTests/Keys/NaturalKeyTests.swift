import CoreData
import TestModels
import Testing

@testable import Seeding

@Suite("Natural keys")
struct NaturalKeyTests {
  private func entity(_ names: String...) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = "Thing"
    entity.properties = names.map { makeAttribute($0, .stringAttributeType) }
    return entity
  }

  @Test("a uniqueness constraint of one attribute is the first choice of a natural key")
  func constraint() {
    let entity = entity("id", "code", "name")
    entity.uniquenessConstraints = [["id", "name"], ["code"]]
    entity.userInfo = ["identityAttributes": "name"]
    #expect(NaturalKeys().key(of: entity)?.name == "code")
  }

  @Test("identityAttributes takes precedence over customary names as the natural key")
  func userInfo() {
    let entity = entity("id", "name")
    entity.userInfo = ["identityAttributes": "name"]
    #expect(NaturalKeys().key(of: entity)?.name == "name")
  }

  @Test("an empty identityAttributes means that the entity does not have a natural key")
  func noKey() {
    let entity = entity("id", "name")
    entity.userInfo = ["identityAttributes": ""]
    #expect(NaturalKeys().key(of: entity) == nil)
  }

  @Test("a uniqueness constraint of several attributes takes precedence over identityAttributes")
  func compositeConstraint() {
    let entity = entity("suit", "value", "name")
    entity.uniquenessConstraints = [["suit", "value"]]
    entity.userInfo = ["identityAttributes": "name"]
    #expect(NaturalKeys().key(of: entity)?.names == ["suit", "value"])
  }

  @Test("identityAttributes may list several attributes, and a subentity extends the list, as in Groot")
  func identityLists() {
    let card = entity("suit", "value", "deck")
    card.userInfo = ["identityAttributes": "suit, value"]
    let trump = entity()
    card.subentities = [trump]
    #expect(NaturalKeys().key(of: trump)?.names == ["suit", "value"])
    trump.userInfo = ["identityAttributes": "deck"]
    #expect(NaturalKeys().key(of: trump)?.names == ["suit", "value", "deck"])
    #expect(NaturalKeys().key(of: card)?.names == ["suit", "value"])
  }

  @Test(
    "an attribute marked as the primary key is the natural key, as in Sync",
    arguments: ["sync", "hyper"]
  )
  func primaryKey(prefix: String) {
    let entity = entity("id", "contractID", "name")
    for value in ["true", "YES", "1"] {
      entity.attributesByName["contractID"]?.userInfo = ["\(prefix).isPrimaryKey": value]
      #expect(NaturalKeys().key(of: entity)?.name == "contractID")
    }
    entity.attributesByName["contractID"]?.userInfo = ["\(prefix).isPrimaryKey": "false"]
    #expect(NaturalKeys().key(of: entity)?.name == "id")
  }

  @Test(
    "a key that is declared for a run comes first, applies to subentities, and an empty list means no key"
  )
  func declared() {
    let entity = entity("code", "name")
    entity.uniquenessConstraints = [["code"]]
    let sub = self.entity("number")
    entity.subentities = [sub]
    #expect(NaturalKeys(declared: ["Thing": ["name"]]).key(of: entity)?.name == "name")
    #expect(NaturalKeys(declared: ["Thing": ["name"]]).key(of: sub)?.name == "name")
    #expect(NaturalKeys(declared: ["Thing": []]).key(of: entity) == nil)
    #expect(NaturalKeys(declared: ["Thing": ["nothing"]]).key(of: entity) == nil)
  }

  @Test("a natural key can contain a to-one relationship to an entity with a key, but not a cycle")
  func relationships() {
    let book = makeEntity("Book", makeAttribute("title", .stringAttributeType))
    let author = makeEntity("Author", makeAttribute("code", .stringAttributeType))
    relate(book, "author", isToMany: false, author, "favourite", isToMany: false)
    let declared = ["Book": ["title", "author"], "Author": ["code"]]
    #expect(NaturalKeys(declared: declared).key(of: book)?.names == ["title", "author"])
    let circle = ["Book": ["title", "author"], "Author": ["favourite"]]
    #expect(NaturalKeys(declared: circle).key(of: book) == nil)
    #expect(NaturalKeys(declared: ["Author": ["books"]]).key(of: author) == nil)
  }

  @Test("customary names are tried as natural keys in order: identifiers before names")
  func customary() {
    #expect(NaturalKeys().key(of: entity("title", "name", "uuid", "id", "identifier"))?.name == "identifier")
    #expect(NaturalKeys().key(of: entity("title", "name", "uuid", "id"))?.name == "id")
    #expect(NaturalKeys().key(of: entity("title", "name", "uuid"))?.name == "uuid")
    #expect(NaturalKeys().key(of: entity("title", "name"))?.name == "name")
    #expect(NaturalKeys().key(of: entity("title"))?.name == "title")
    #expect(NaturalKeys().key(of: entity("colour")) == nil)
  }

  @Test("an attribute that cannot identify objects is not used as a natural key")
  func unsuitable() {
    let entity = entity("title")
    entity.properties += [makeAttribute("name", .booleanAttributeType)]
    #expect(NaturalKeys().key(of: entity)?.name == "title")
    entity.attributesByName["title"]?.isTransient = true
    #expect(NaturalKeys().key(of: entity) == nil)
  }

  @Test("a derived attribute is not used as a natural key, and declaring it in a header is an error")
  func derived() throws {
    let canonical = NSDerivedAttributeDescription()
    canonical.name = "canonicalName"
    canonical.attributeType = .stringAttributeType
    canonical.isOptional = true
    canonical.derivationExpression = NSExpression(format: "canonical:(name)")
    let entity = entity("name")
    entity.properties += [canonical]
    entity.uniquenessConstraints = [["canonicalName"]]
    #expect(NaturalKeys().key(of: entity)?.name == "name")
    let tags = TestModel.notes { entities in
      let copy = canonical.copy() as? NSAttributeDescription
      if let copy { entities["Tag"]?.properties.append(copy) }
    }
    let store = try TestStore(.inMemory, tags)
    let error = #expect(throws: SeedError.self) {
      try store.seed("{\"$keys\": {\"tags\": [\"canonicalName\"]}, \"tags\": [{\"name\": \"A\"}]}")
    }
    #expect(error?.code == .noNaturalKey)
    #expect(
      error?.problem.contains("canonicalName is derived from others, and no record can give it") == true
    )
  }

  @Test("a subentity has the natural key of its superentity")
  func inheritance() {
    let person = entity("name", "code")
    let employee = NSEntityDescription()
    employee.name = "Employee"
    person.subentities = [employee]
    person.uniquenessConstraints = [["code"]]
    #expect(NaturalKeys().key(of: employee)?.name == "code")
  }

  @Test("references to a superentity find objects of its subentities")
  func references() throws {
    let person = makeEntity("Person", makeAttribute("name", .stringAttributeType))
    person.isAbstract = true
    let employee = makeEntity("Employee", makeAttribute("salary", .integer32AttributeType))
    let customer = makeEntity("Customer", makeAttribute("number", .integer32AttributeType))
    person.subentities = [employee, customer]
    let team = makeEntity("Team", makeAttribute("name", .stringAttributeType))
    relate(team, "members", isToMany: true, isOrdered: true, person, "team", isToMany: false)
    let store = try TestStore(.inMemory, makeModel([person, employee, customer, team]) { _ in })

    try store.seed(
      """
      {"teams": [{"name": "A", "members": ["Zoe", "Anna", "Bob"]}],
       "employees": [{"name": "Anna", "salary": 1}, {"name": "Zoe"}], "customers": [{"name": "Bob", "number": 2}]}
      """
    )
    let context = store.newContext()
    try context.performAndWait {
      let team = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Team")).first)
      let members = try #require(team.value(forKey: "members") as? NSOrderedSet)
      #expect(
        members.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } == [
          "Zoe", "Anna", "Bob",
        ]
      )
    }

    let error = #expect(throws: SeedError.self) { try store.seed("{\"people\": [{\"name\": \"Carl\"}]}") }
    #expect(
      error?.description
        == "seed.json:1: people: Person is abstract, so it has no objects; name one of its subentities: Customer, Employee"
    )
  }

  @Test("a seed cannot set a relationship to an entity without a natural key")
  func noKeyToReferTo() throws {
    let event = makeEntity("Event", makeAttribute("what", .stringAttributeType))
    let day = makeEntity("Day", makeAttribute("name", .stringAttributeType))
    relate(day, "events", isToMany: true, event, "day", isToMany: false)
    let store = try TestStore(.inMemory, makeModel([event, day]) { _ in })
    let error = #expect(throws: SeedError.self) {
      try store.seed("{\"days\": [{\"name\": \"Monday\", \"events\": [\"start\"]}]}")
    }
    #expect(error?.code == .noNaturalKey)
    #expect(
      error?.description
        == "seed.json:1: Day record 1, key \"events\": Event has no natural key to refer to its objects by; label the "
        + "record with $id and refer to it by {\"$ref\": label}, or declare a key in $keys of the seed"
    )
  }
}
