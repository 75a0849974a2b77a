import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("A model that is read from damaged tables")
struct DamagedTablesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file())
    try coordinator.remove(store)
    try folder.execute("DROP TABLE Z_MODELCACHE")
  }

  private func failure(_ sql: String...) throws -> String {
    for sql in sql { try folder.execute(sql) }
    let error = #expect(throws: NSError.self) { try NSManagedObjectModel(tablesOf: folder.file()) }
    #expect(error?.userInfo[NSFilePathErrorKey] as? String == folder.file().path)
    return error?.localizedDescription ?? ""
  }

  @Test("entities that inherit from each other or from themselves are an error")
  func cycles() throws {
    let pair = try failure(
      """
      UPDATE Z_PRIMARYKEY SET Z_SUPER = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Employee') \
      WHERE Z_NAME = 'Person'
      """
    )
    #expect(pair.contains("inherits from itself"), "\(pair)")
    #expect(try failure("UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT").contains("inherits from itself"))
  }

  @Test("duplicate names and numbers of entities, or a very long superentity chain, are errors")
  func entities() throws {
    let insert = "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES"
    #expect(try failure("\(insert) (900, 'Note', 0, 0)").contains("have one table"))
    #expect(
      try failure("UPDATE Z_PRIMARYKEY SET Z_NAME = 'NOTE' WHERE Z_ENT = 900").contains("have one table")
    )
    #expect(try failure("UPDATE Z_PRIMARYKEY SET Z_NAME = '' WHERE Z_ENT = 900").contains("no name"))
    try folder.execute("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 900")
    let line = (1_000..<1_300).map { "(\($0), 'E\($0)', \($0 - 1), 0)" }.joined(separator: ", ")
    #expect(try failure("\(insert) \(line)").contains("superentities"))
  }

  @Test("columns that get the same name are numbered, and both are read")
  func columns() throws {
    try folder.execute("ALTER TABLE ZTAG ADD COLUMN Z1 VARCHAR")
    try folder.execute("ALTER TABLE ZTAG ADD COLUMN ZCOLUMN1 VARCHAR")
    try folder.execute(
      "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, Z1, ZCOLUMN1) SELECT 1, Z_ENT, 1, 'one', 'two' FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'"
    )
    let model = try NSManagedObjectModel(tablesOf: folder.file())
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options: [AnyHashable: Any] = [
      NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true,
    ]
    try coordinator.addPersistentStore(type: .sqlite, at: folder.file(), options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let tag = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
    let values = tag.entity.attributesByName.keys.compactMap { tag.value(forKey: $0) as? String }
    #expect(values.sorted() == ["one", "two"])
  }

  @Test("entity numbers at the limits of 64 bits do not crash the program")
  func numbers() throws {
    try folder.execute("UPDATE Z_PRIMARYKEY SET Z_ENT = 9223372036854775807 WHERE Z_NAME = 'Badge'")
    try folder.execute("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME IN ('Tag', 'Page')")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    _ = try? coordinator.addPersistentStore(type: .sqlite, at: folder.file())
  }
}
