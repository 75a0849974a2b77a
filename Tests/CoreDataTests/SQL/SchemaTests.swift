import Foundation
import TestModels
import TestSupport
import Testing

@testable import CoreData

@Suite("The schema")
struct SchemaTests {
  @Test(
    "the schema finds every column in stores of all ages, whatever the order",
    .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"),
    arguments: AppleStore.andOurs
  )
  func existing(_ store: AppleStore) throws {
    let folder = try TemporaryFolder()
    let model = try store.loadModel()
    let connections = try SQLiteConnections(
      file: try store.copy(to: folder.url),
      isReadOnly: false,
      pragmas: [],
      timeout: 1
    )
    let content = try connections.look { try SQLiteContent($0, file: connections.file) }
    let existing = try SQLSchemaBuilder.build(
      model: model,
      entities: model.entities,
      catalog: content.catalog
    )
    let new = try SQLSchemaBuilder.build(model: model, entities: model.entities)
    #expect(existing.tables.map(\.name).sorted() == new.tables.map(\.name).sorted())
    for (one, other) in zip(existing.entities, new.entities) {
      #expect(one.number == other.number)
      #expect(one.slots.map { $0?.column } == other.slots.map { $0?.column })
    }
    try connections.close()
  }

  @Test("the schema numbers equal column names, has Apple's order, and adds columns for entities")
  func inheritance() throws {
    let statements = try statements {
      let pet = Self.entity("Pet", ["name": .stringAttributeType, "age": .integer16AttributeType])
      let cat = Self.entity("Cat", ["lives": .integer16AttributeType, "weight": .doubleAttributeType])
      let dog = Self.entity("Dog", ["weight": .doubleAttributeType, "lives": .integer16AttributeType])
      pet.subentities = [dog, cat]
      let owner = Self.entity("owner", ["born": .dateAttributeType])
      Self.relate(owner, "favourite", to: pet, toMany: false)
      return [owner, pet, cat, dog]
    }
    #expect(
      statements == [
        "CREATE TABLE ZOWNER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFAVOURITE INTEGER, "
          + "Z2_FAVOURITE INTEGER, ZBORN TIMESTAMP )",
        "CREATE TABLE ZPET ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZLIVES INTEGER, "
          + "ZLIVES1 INTEGER, ZWEIGHT FLOAT, ZWEIGHT1 FLOAT, ZNAME VARCHAR )",
        "CREATE INDEX ZOWNER_ZFAVOURITE_INDEX ON ZOWNER (ZFAVOURITE)",
        "CREATE INDEX ZPET_Z_ENT_INDEX ON ZPET (Z_ENT)",
      ]
    )
  }

  @Test(
    "the schema has number columns for ordered relationships, and keys in the destination for those without inverse"
  )
  func toMany() throws {
    let statements = try statements {
      let book = Self.entity("Book", [:])
      let page = Self.entity("Page", ["number": .integer16AttributeType])
      let pages = Self.relate(book, "pages", to: page, toMany: true)
      pages.isOrdered = true
      Self.relate(page, "book", to: book, toMany: false).inverseRelationship = pages
      Self.relate(book, "covers", to: page, toMany: true)
      return [book, page]
    }
    #expect(
      statements == [
        "CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
        "CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER, ZBOOK INTEGER, "
          + "Z1COVERS INTEGER, Z_FOK_BOOK INTEGER )",
        "CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK)",
        "CREATE INDEX ZPAGE_Z1COVERS_INDEX ON ZPAGE (Z1COVERS)",
      ]
    )
  }

  @Test("the schema has a join table for a many-to-many relationship, also a reflexive one")
  func manyToMany() throws {
    let statements = try statements {
      let note = Self.entity("Note", [:])
      let tag = Self.entity("Tag", [:])
      let tags = Self.relate(note, "tags", to: tag, toMany: true)
      tags.isOrdered = true
      Self.relate(tag, "notes", to: note, toMany: true).inverseRelationship = tags
      let parents = Self.relate(tag, "parents", to: tag, toMany: true)
      Self.relate(tag, "children", to: tag, toMany: true).inverseRelationship = parents
      let friends = Self.relate(note, "friends", to: note, toMany: true)
      friends.inverseRelationship = friends
      return [note, tag]
    }
    #expect(
      statements.filter { $0.contains("Z_") && !$0.contains("Z_PK") } == [
        "CREATE TABLE Z_1FRIENDS ( REFLEXIVE INTEGER, Z_1FRIENDS INTEGER, PRIMARY KEY (REFLEXIVE, Z_1FRIENDS) )",
        "CREATE TABLE Z_1TAGS ( Z_1NOTES INTEGER, Z_2TAGS INTEGER, Z_FOK_2TAGS INTEGER, "
          + "PRIMARY KEY (Z_1NOTES, Z_2TAGS) )",
        "CREATE TABLE Z_2PARENTS ( Z_2CHILDREN INTEGER, Z_2PARENTS INTEGER, PRIMARY KEY (Z_2CHILDREN, Z_2PARENTS) )",
        "CREATE INDEX Z_1FRIENDS_Z_1FRIENDS_INDEX ON Z_1FRIENDS (Z_1FRIENDS, REFLEXIVE)",
        "CREATE INDEX Z_1TAGS_Z_2TAGS_INDEX ON Z_1TAGS (Z_2TAGS, Z_1NOTES)",
        "CREATE INDEX Z_2PARENTS_Z_2PARENTS_INDEX ON Z_2PARENTS (Z_2PARENTS, Z_2CHILDREN)",
      ]
    )
  }

  @Test("the schema has the model's indexes, and unique ones for constraints")
  func indexes() throws {
    let statements = try statements {
      let city = Self.entity("City", ["name": .stringAttributeType, "size": .integer32AttributeType])
      let elements = city.properties.sorted { $0.name < $1.name }.map {
        NSFetchIndexElementDescription(property: $0, collationType: .binary)
      }
      elements[1].isAscending = false
      city.indexes = [NSFetchIndexDescription(name: "byNameAndSize", elements: elements)]
      city.uniquenessConstraints = [["name", "size"]]
      return [city]
    }
    #expect(
      statements.dropFirst() == [
        "CREATE INDEX Z_City_byNameAndSize ON ZCITY (ZNAME COLLATE BINARY ASC, ZSIZE COLLATE BINARY DESC)",
        "CREATE UNIQUE INDEX Z_City_UNIQUE_name_size ON ZCITY (ZNAME COLLATE BINARY ASC, ZSIZE COLLATE BINARY ASC)",
      ]
    )
  }

  @Test("the schema keeps the entity numbers of an existing store, also for renamed entities")
  func existingNumbers() throws {
    let model = NSManagedObjectModel()
    let entities = ["Alpha", "Beta", "Gamma", "Delta"].map { Self.entity($0, [:]) }
    entities[1].renamingIdentifier = "Old"
    entities[2].renamingIdentifier = "Old"
    model.entities = entities
    model.freeze()
    var catalog = SQLCatalog()
    for name in ["ZALPHA", "ZOLD", "ZGAMMA", "ZDELTA"] {
      catalog.add(table: name, columns: ["Z_PK", "Z_ENT", "Z_OPT"])
    }
    catalog.entityNumbers = ["Alpha": 3, "Old": 7]
    let schema = try SQLSchemaBuilder.build(model: model, entities: entities, catalog: catalog)
    let numbers = Dictionary(uniqueKeysWithValues: schema.entities.map { ($0.entity.name ?? "", $0.number) })
    #expect(numbers["Alpha"] == 3)
    #expect(numbers["Beta"] == 7)
    #expect(Set(numbers.values).count == 4)
    #expect(schema.entity(storeNumber: 7)?.entity.name == "Beta")
    #expect(schema.entities.first { $0.entity.name == "Beta" }?.table.name == "ZOLD")
  }

  @Test("a missing table or column of an existing store is refused by name")
  func missingParts() {
    let model = NSManagedObjectModel()
    model.entities = [Self.entity("City", ["name": .stringAttributeType])]
    model.freeze()
    var catalog = SQLCatalog()
    let first = #expect(throws: NSError.self) {
      try SQLSchemaBuilder.build(model: model, entities: model.entities, catalog: catalog)
    }
    #expect(first?.localizedDescription.contains("the table ZCITY") == true)
    catalog.add(table: "ZCITY", columns: ["Z_PK", "Z_ENT", "Z_OPT"])
    let second = #expect(throws: NSError.self) {
      try SQLSchemaBuilder.build(model: model, entities: model.entities, catalog: catalog)
    }
    #expect(second?.localizedDescription.contains("the column ZNAME of City.name in the table ZCITY") == true)
  }

  @Test("an attribute type that no column supports is refused by name")
  func untyped() {
    let error = #expect(throws: NSError.self) {
      try statements { [Self.entity("Odd", ["thing": .undefinedAttributeType])] }
    }
    #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
    #expect(error?.localizedDescription.contains("Odd.thing") == true)
  }

  @Test("the schema quotes names that are not plain words")
  func quoting() throws {
    let statements = try statements { [Self.entity("Ä\"x", ["größe": .integer16AttributeType])] }
    #expect(
      statements == [
        "CREATE TABLE \"ZÄ\"\"X\" ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \"ZGRÖSSE\" INTEGER )"
      ]
    )
  }

  private func statements(_ entities: () -> [NSEntityDescription]) throws -> [String] {
    let model = NSManagedObjectModel()
    model.entities = entities()
    model.freeze()
    return try SQLSchemaBuilder.build(model: model, entities: model.entities)
      .creationStatements(SQLiteDialect())
  }

  private static func entity(_ name: String, _ attributes: [String: NSAttributeType]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.sorted { $0.key > $1.key }.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      return attribute
    }
    return entity
  }

  @discardableResult
  private static func relate(
    _ source: NSEntityDescription,
    _ name: String,
    to destination: NSEntityDescription,
    toMany: Bool
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = toMany ? 0 : 1
    source.properties += [relationship]
    return relationship
  }
}
