import CoreData
import Foundation
import Testing

/// Names that a database may reserve. A model does not know which store its objects will be in.
@Suite("Names of entities and properties")
struct ServerNameTests {
  /// The store types that this library provides.
  private static let stores = StoreKind.allCases.filter { $0 != .atomic && $0 != .incremental && !$0.isChild }

  /// The system columns of PostgreSQL, and a name that resembles one.
  private static let columns = ["cmax", "cmin", "ctid", "oid", "tableoid", "xmax", "xmin", "xmin1"]

  private static let name = #"<attribute name="name" attributeType="String" optional="YES"/>"#

  private static let attributes = columns.map {
    #"<attribute name="\#($0)" attributeType="Integer 64" optional="YES"/>"#
  }

  private static let model =
    """
    <entity name="Note">\(name)\(attributes.joined())<relationship name="tags" toMany="YES" optional="YES" \
    destinationEntity="Tag" inverseName="notes" inverseEntity="Tag"/><fetchIndex name="pkey">\
    <fetchIndexElement property="name" type="Binary" order="ascending"/></fetchIndex></entity>\
    <entity name="Tag">\(name)<relationship name="notes" toMany="YES" optional="YES" destinationEntity="Note" \
    inverseName="tags" inverseEntity="Note"/></entity>
    """ + others.map { "<entity name=\"\($0)\">\(name)</entity>" }.joined()

  /// Entities named like the indexes of other entities, and like system tables of PostgreSQL and SQLite.
  private static let others = [
    "NotePkey", "NoteTagsNoteTagsIndex", "NoteTagsPkey", "PgClass", "PgUser", "EntityPgUser", "SqliteMaster",
  ]

  @Test(
    "objects of entities and attributes whose names a database has for itself are kept",
    arguments: stores
  )
  func kept(_ kind: StoreKind) throws {
    let stack = try Stack(kind, model: VersionedStore.model(Self.model))
    let note = stack.context.make("Note", ["name": "n"])
    for (index, column) in Self.columns.enumerated() { note.setValue(index, forKey: column) }
    note.setValue(NSSet(object: stack.context.make("Tag", ["name": "t"])), forKey: "tags")
    for entity in Self.others { stack.context.make(entity, ["name": entity]) }
    try stack.save()
    let context = stack.newContext()
    for (index, column) in Self.columns.enumerated() {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "\(column) == \(index)")
      request.sortDescriptors = [NSSortDescriptor(key: column, ascending: true)]
      let found = try context.fetch(request)
      #expect(found.map { $0.value(forKey: column) as? Int } == [index], "\(column)")
    }
    #expect(try context.all("Note").map { $0.names("tags") } == [["t"]])
    for entity in Self.others { #expect(try context.texts(entity) == [entity]) }
  }
}
