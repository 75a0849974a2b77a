import CoreData
import Foundation
import Samples

/// Migrates a store to a model in which an entity has one attribute less, a renamed one, and a new one with a
/// default value.
struct MigrationWorkload {
  let files: SampleFiles
  let count: Int

  func make() throws -> Workload {
    let model = Self.newModel()
    return Workload(
      title: "lightweight migration of \(count) rows: an attribute added, one removed, one renamed",
      contenders: [
        Contender("the SQL that does it", prepare: { try files.make(rows: count) }) { url in
          let raw = try RawSQLite(url.path)
          try raw.inTransaction { try Self.statements.forEach(raw.execute) }
        },
        Contender(
          "addPersistentStore",
          [.times(1.3), .peakUnder(100)],
          prepare: { try files.make(rows: count) }
        ) { url in
          let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
          try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: url,
            options: [
              NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
              NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
              // The program does not contain the former model, so the store could seem to have a newer model.
              NSPersistentStoreAllowsDowngradeOption: NSNumber(value: true),
            ]
          )
        },
      ]
    )
  }

  private static let kept = (0..<8).map { "ZA\($0)" }

  private static var statements: [String] {
    let columns = kept.joined(separator: ", ")
    let definitions = (kept + ["ZRANK", "ZTOTAL"]).map { "\($0) INTEGER" }.joined(separator: ", ")
    return [
      "ALTER TABLE ZSAMPLE RENAME TO FORMER",
      "CREATE TABLE ZSAMPLE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(definitions))",
      """
      INSERT INTO ZSAMPLE (Z_PK, Z_ENT, Z_OPT, \(columns), ZRANK, ZTOTAL)
      SELECT Z_PK, Z_ENT, Z_OPT, \(columns), 7, ZA9 FROM FORMER
      """,
      "DROP TABLE FORMER",
    ]
  }

  private static func newModel() -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "Sample"
    let kept = Sample.keys.prefix(8).map(attribute)
    entity.properties = kept + [rank(), total()]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }

  private static func rank() -> NSAttributeDescription {
    let rank = attribute("rank")
    rank.defaultValue = NSNumber(value: 7)
    return rank
  }

  private static func total() -> NSAttributeDescription {
    let total = attribute("total")
    total.renamingIdentifier = Sample.keys.last
    return total
  }

  private static func attribute(_ name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = .integer64AttributeType
    return attribute
  }
}
