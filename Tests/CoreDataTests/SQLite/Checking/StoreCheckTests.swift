import CoreData
import Files
import Foundation
import Testing

@testable import CoreData

@Suite("Checking a store")
struct StoreCheckTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file())
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let (category, tags) = (Category(context: context), ["x", "y"].map { _ in Tag(context: context) })
    category.name = "c"
    for (tag, name) in zip(tags, ["x", "y"]) { tag.name = name }
    for number in 1...3 {
      let note = Note(context: context)
      note.title = "note \(number)"
      note.category = category
      note.tags = Set(tags)
    }
    try context.save()
    try coordinator.remove(store)
  }

  private var check: SQLiteStoreCheck {
    get throws { try SQLiteStoreCheck(store: folder.file(), model: TestModel.shared) }
  }

  private func copies() -> URL { folder.file("copy-\(UUID().uuidString).sqlite") }

  /// Expects the finding that some statements cause, and whether `repair` fixes it.
  private func expect(
    _ kind: StoreFinding.Kind,
    _ words: String,
    isMended: Bool,
    after statements: String...
  ) throws {
    #expect(try check.findings() == [])
    for statement in statements { try folder.execute(statement) }
    let findings = try check.findings()
    #expect(findings.map(\.kind) == [kind])
    #expect(findings.first?.problem.contains(words) == true, "\(findings.map(\.problem))")
    #expect(findings.first?.isRepairable == isMended)
    try check.repair(copyingTo: copies())
    #expect(try check.findings().isEmpty == isMended)
  }

  @Test("the check finds nothing wrong with a store made here")
  func whole() throws { #expect(try check.findings() == []) }

  @Test("the check finds a dangling foreign key, and clears it")
  func danglingKey() throws {
    try expect(
      .foreignKey,
      "ZNOTE: 1 row lead by ZCATEGORY to a Category that is not there (2)",
      isMended: true,
      after: "UPDATE ZNOTE SET ZCATEGORY = 77 WHERE Z_PK = 2"
    )
    #expect(try folder.query("SELECT COUNT(*) FROM ZNOTE WHERE ZCATEGORY IS NULL") == [1])
  }

  @Test("the check finds dangling rows of a join table, and removes them")
  func joinTable() throws {
    let table: [String] = try folder.query(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*TAGS'"
    )
    let name = try #require(table.first)
    let columns: [String] = try folder.query("SELECT name FROM pragma_table_info('\(name)') ORDER BY cid")
    try expect(
      .joinTable,
      "\(columns[1]) to a Tag that is not there",
      isMended: true,
      after: "INSERT INTO \(name) (\(columns[0]), \(columns[1])) VALUES (1, 99)"
    )
    #expect(try folder.query("SELECT COUNT(*) FROM \(name)") == [6])
  }

  @Test("the check finds a last key below the rows, a missing one, and a wrong superentity")
  func primaryKeys() throws {
    let update = "UPDATE Z_PRIMARYKEY SET"
    try expect(
      .primaryKeys,
      "the last key of Note is 1",
      isMended: true,
      after: "\(update) Z_MAX = 1 WHERE Z_NAME = 'Note'"
    )
    #expect(try folder.query("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'") == [3])
    try expect(
      .primaryKeys,
      "no row for Tag",
      isMended: true,
      after: "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'"
    )
    try expect(
      .primaryKeys,
      "inherits from",
      isMended: true,
      after: "\(update) Z_SUPER = 9 WHERE Z_NAME = 'Tag'"
    )
  }

  @Test("the check finds rows of unknown entities and without a version")
  func rows() throws {
    try expect(
      .entity,
      "ZTAG: 1 row have a Z_ENT",
      isMended: true,
      after: "UPDATE ZTAG SET Z_ENT = 50 WHERE Z_PK = 1"
    )
    try expect(.version, "no version", isMended: true, after: "UPDATE ZTAG SET Z_OPT = NULL WHERE Z_PK = 1")
  }

  @Test("the check finds values of a wrong type, and does not repair them")
  func values() throws {
    try expect(.value, "ZTITLE", isMended: false, after: "UPDATE ZNOTE SET ZTITLE = x'FF00' WHERE Z_PK = 1")
  }

  @Test("the check finds another model's hashes, and a digest that does not match")
  func metadata() throws {
    let other = TestModel.make()
    other.entitiesByName["Tag"]?.attributesByName["name"]?.isOptional.toggle()
    let findings = try SQLiteStoreCheck(store: folder.file(), model: other).findings()
    #expect(findings.contains { $0.kind == .versionHashes && $0.problem.contains("Tag") && !$0.isRepairable })
    let metadata: [Data] = try folder.query("SELECT Z_PLIST FROM Z_METADATA")
    let list = try PropertyListSerialization.propertyList(from: try #require(metadata.first), format: nil)
    var properties = try #require(list as? [String: Any])
    properties["NSStoreModelVersionHashesDigest"] = "wrong"
    let data = try PropertyListSerialization.data(fromPropertyList: properties, format: .binary, options: 0)
    let hex = data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try expect(.metadata, "digest", isMended: true, after: "UPDATE Z_METADATA SET Z_PLIST = x'\(hex)'")
  }

  @Test("the check finds missing external data files, and files without a row")
  func externalData() throws {
    let external = ExternalDataFolder(store: folder.file())
    var marker: ExternalDataMarker?
    let large = Data(count: ExternalDataFolder.largestInlineCount + 1)
    let (_, file) = try external.store(large, marker: &marker)
    let orphan = try #require(file)
    let findings = try check.findings()
    #expect(findings.map(\.kind) == [.externalData])
    #expect(findings.first?.problem.contains(orphan) == true)
    try check.repair(copyingTo: copies())
    #expect(try check.findings() == [])
    #expect(external.names.isEmpty)
  }

  @Test(
    "the check reports an unreadable folder of external data instead of missing files",
    .enabled(if: geteuid() != 0, "root may read everything")
  )
  func unreadableFolder() throws {
    let external = ExternalDataFolder(store: folder.file())
    var marker: ExternalDataMarker?
    _ = try external.store(Data(count: ExternalDataFolder.largestInlineCount + 1), marker: &marker)
    let (manager, path) = (FileManager.default, external.folder.path)
    try manager.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path) }
    let error = #expect(throws: NSError.self) { try check.findings() }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == CocoaError.fileReadNoPermission.rawValue)
    #expect(error?.localizedDescription.contains(external.folder.path) == true)
  }

  @Test("a repair fixes the damage found under its exclusive lock, not the damage found by an earlier check")
  func changedMeanwhile() throws {
    let unused = copies()
    #expect(try !check.repair(copyingTo: unused))
    #expect(FileKind(at: unused.path) == .nothing)
    try folder.execute("UPDATE ZNOTE SET ZCATEGORY = 77 WHERE Z_PK = 2")
    #expect(try check.findings().count == 1)
    try folder.execute("UPDATE ZNOTE SET Z_OPT = NULL WHERE Z_PK = 1")
    #expect(try check.repair(copyingTo: copies()))
    #expect(try check.findings() == [])
  }

  @Test("a repair copies the store first, and does nothing if the copy fails")
  func copy() throws {
    try folder.execute("UPDATE ZNOTE SET ZCATEGORY = 77 WHERE Z_PK = 2")
    let (findings, copy) = (try check.findings(), copies())
    try Data("here".utf8).write(to: copy)
    let error = #expect(throws: NSError.self) { try check.repair(copyingTo: copy) }
    #expect(error?.localizedDescription.contains(copy.path) == true)
    #expect(try folder.query("SELECT ZCATEGORY FROM ZNOTE WHERE Z_PK = 2") == [77])
    let other = copies()
    try check.repair(copyingTo: other)
    #expect(try folder.query("SELECT ZCATEGORY FROM ZNOTE WHERE Z_PK = 2", at: other) == [77])
    #expect(try SQLiteStoreCheck(store: other, model: TestModel.shared).findings() == findings)
  }

  @Test("the check finds a damaged file, and then skips its rows")
  func damaged() throws {
    let pages: [Int] = try folder.query("SELECT rootpage FROM sqlite_master WHERE name = 'ZNOTE'")
    let handle = try FileHandle(forUpdating: folder.file())
    try handle.seek(toOffset: UInt64(((pages.first ?? 1) - 1) * 4096))
    try handle.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    try handle.close()
    let findings = try check.findings()
    #expect(!findings.isEmpty && findings.allSatisfy { $0.kind == .integrity && !$0.isRepairable })
  }

  @Test("the check's queries use names of the model, and conditions with an index")
  func queries() throws {
    let schema = try SQLSchemaBuilder.build(model: TestModel.shared, entities: TestModel.shared.entities)
    let problems = SQLStoreProblems(schema: schema, dialect: SQLiteDialect())
    let dangling = try #require(
      problems.all().first { $0.table == "ZNOTE" && $0.kind == .foreignKey }
    )
    #expect(
      dangling.query(SQLiteDialect()) == """
        SELECT t.rowid FROM ZNOTE t WHERE t.ZCATEGORY > 0 AND NOT EXISTS \
        (SELECT 1 FROM ZCATEGORY d WHERE d.Z_PK = t.ZCATEGORY) ORDER BY 1
        """
    )
    #expect(
      dangling.repair == [
        """
        UPDATE ZNOTE AS t SET ZCATEGORY = NULL WHERE t.ZCATEGORY > 0 AND NOT EXISTS \
        (SELECT 1 FROM ZCATEGORY d WHERE d.Z_PK = t.ZCATEGORY)
        """
      ]
    )
  }

  @Test(
    "a repair fixes one-to-one relationships with one empty side, reflexive pairs, and orders"
  )
  func relationships() throws {
    let other = try TemporaryFolder()
    let model = Self.model()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: other.file())
    try coordinator.remove(store)
    let insertions = (1...3).flatMap { key in
      [
        "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (\(key), 2, 1)",
        "INSERT INTO ZPASSPORT (Z_PK, Z_ENT, Z_OPT) VALUES (\(key), 1, 1)",
      ]
    }
    let changes = [
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 3", "UPDATE ZPERSON SET ZPASSPORT = 1 WHERE Z_PK = 1",
      "INSERT INTO Z_2FRIENDS (REFLEXIVE, Z_2FRIENDS) VALUES (1, 2)",
      "INSERT INTO Z_2HEROES (Z_2FANS, Z_2HEROES) VALUES (1, 2), (1, 3)",
    ]
    for statement in insertions + changes { try other.execute(statement) }
    let check = try SQLiteStoreCheck(store: other.file(), model: model)
    let findings = try check.findings()
    #expect(
      findings.map(\.kind) == [.order, .inverse, .inverse] || Set(findings.map(\.kind)) == [.order, .inverse]
    )
    #expect(findings.count == 3 && findings.allSatisfy(\.isRepairable))
    try check.repair(copyingTo: other.file("copy.sqlite"))
    #expect(try check.findings() == [])
    #expect(try other.query("SELECT ZPERSON FROM ZPASSPORT WHERE Z_PK = 1") == [1])
    #expect(try other.query("SELECT COUNT(*) FROM Z_2FRIENDS") == [2])
    #expect(try other.query("SELECT Z_FOK_2HEROES FROM Z_2HEROES ORDER BY Z_2HEROES") == [2048, 3072])

    try other.execute("UPDATE ZPASSPORT SET ZPERSON = 2 WHERE Z_PK = 1")
    let contradiction = try check.findings()
    #expect(!contradiction.isEmpty && contradiction.allSatisfy { $0.kind == .inverse && !$0.isRepairable })
  }

  private static func model() -> NSManagedObjectModel {
    let (person, passport) = (NSEntityDescription(), NSEntityDescription())
    (person.name, passport.name) = ("Person", "Passport")
    let names = ["passport", "person", "friends", "heroes", "fans"]
    let relationships = names.map { name in
      let relationship = NSRelationshipDescription()
      (relationship.name, relationship.isOptional) = (name, true)
      relationship.destinationEntity = name == "passport" ? passport : person
      relationship.maxCount = name.hasPrefix("p") ? 1 : 0
      relationship.deleteRule = .nullifyDeleteRule
      return relationship
    }
    relationships[3].isOrdered = true
    for (one, other) in [(0, 1), (2, 2), (3, 4)] {
      relationships[one].inverseRelationship = relationships[other]
      relationships[other].inverseRelationship = relationships[one]
    }
    person.properties = [relationships[0], relationships[2], relationships[3], relationships[4]]
    passport.properties = [relationships[1]]
    let model = NSManagedObjectModel()
    model.entities = [person, passport]
    return model
  }
}
