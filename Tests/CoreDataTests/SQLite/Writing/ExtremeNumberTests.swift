import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Numbers at the limits of their types")
struct ExtremeNumberTests {
  private static let last = "9223372036854775807"
  private static let first = "-9223372036854775808"

  @Test(
    "limits, offsets and sizes of batches find the same, with unsaved changes and in several stores",
    arguments: [StoreKind.sqlite, .inMemory, .childOfSQLite, .xml]
  )
  func limits(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for index in 0..<3 { stack.note("\(index)") }
    try stack.save()
    let isDivided = [false, true]
    for hasOtherStore in isDivided {
      if hasOtherStore {
        try stack.coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      }
      for hasChanges in [false, true] {
        if hasChanges { try stack.fetch(Note.self).forEach { $0.rating += 1 } }
        for (limit, offset, count) in [
          (Int.max, 0, 3), (.max, 1, 2), (.max, .max, 0), (1, .max, 0), (.min, .min, 3), (2, 1, 2), (0, 2, 1),
        ] {
          for size in [0, .max, .min, 1] {
            let request = NSFetchRequest<Note>(entityName: "Note")
            (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (limit, offset, size)
            #expect(try stack.context.fetch(request).count == count)
            request.sortDescriptors = [.byTitle]
            #expect(try stack.context.fetch(request).compactMap(\.title).count == count)
          }
          let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Note")
          dictionaries.resultType = .dictionaryResultType
          (dictionaries.fetchLimit, dictionaries.fetchOffset) = (limit, offset)
          #expect(try stack.context.fetch(dictionaries).count == count)
        }
      }
      stack.context.rollback()
    }
  }

  @Test("batches of any size are gone through", arguments: [Int.max, .min, 0, 2])
  func enumerated(_ size: Int) throws {
    for kind in [StoreKind.sqlite, .inMemory] {
      let stack = try Stack(kind)
      for index in 0..<3 { stack.note("\(index)") }
      try stack.save()
      var count = 0
      try stack.context.forEachBatch(of: NSFetchRequest(entityName: "Note"), size: size) { count += $0.count }
      #expect(count == 3)
    }
  }

  @Test("a table without keys left is an error that names it", arguments: [0, 1, 2])
  func keys(_ left: Int64) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(folder)
    try folder.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Int64.max - left) WHERE Z_NAME = 'Tag'")
    for index in 0..<left { try store.save(ChangeSet(inserted: [try TestRows.tag("\(index)")])) }
    #expect(try store.rows("Tag").map(\.key).max() ?? .max == .max)
    let error = #expect(throws: NSError.self) {
      try store.commit(ChangeSet(inserted: [try TestRows.tag("no")]))
    }
    #expect(error?.code == NSPersistentStoreSaveError)
    #expect(error?.localizedDescription.contains("ZTAG") == true)
    #expect(error?.userInfo[NSFilePathErrorKey] as? String == folder.file().path)
    let layout = try TestRows.entity("Tag").layout
    let new = NewObject(reference: try TestRows.tag("no").reference, layout: layout)
    #expect(throws: NSError.self) { try store.permanentReferences(for: [new]) }
  }

  @Test("a version continues after the last number that is possible", arguments: [last, first])
  func versions(_ version: String) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(folder)
    try store.save(ChangeSet(inserted: [try TestRows.tag("one")]))
    try folder.execute("UPDATE ZTAG SET Z_OPT = \(version)")
    for name in ["two", "three"] {
      let row = try #require(try store.rows("Tag").first)
      try store.save(ChangeSet(updated: [try TestRows.update(row, ["name": .text(name)])]))
    }
    #expect(try folder.query("SELECT ZNAME FROM ZTAG") == ["three"])
    try folder.execute("UPDATE ZTAG SET Z_OPT = \(version)")
    let stack = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try stack.addPersistentStore(type: .sqlite, at: folder.file())
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = stack
    let tag = try #require(try context.fetch(NSFetchRequest<Tag>(entityName: "Tag")).first)
    for name in ["four", "five"] {
      tag.name = name
      try context.save()
    }
    #expect(try folder.query("SELECT ZNAME FROM ZTAG") == ["five"])
  }

  @Test(
    "entities, keys and references of any number are errors or found, and no trap",
    arguments: [last, first, "-1"]
  )
  func numbers(_ number: String) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(folder)
    let person = try TestRows.insertion("Person", ["name": .text("p")])
    try store.save(ChangeSet(inserted: [person, try TestRows.insertion("Note", ["title": .text("t")])]))
    try folder.execute("UPDATE ZNOTE SET ZCATEGORY = \(number), ZRATING = \(number)")
    try folder.execute("UPDATE ZNOTE SET Z_PK = \(number)")
    let row = try #require(try store.rows("Note").first)
    #expect(String(row.key) == number)
    #expect(try store.row(of: row.reference, layout: row.layout) != nil)
    try folder.execute("UPDATE ZPERSON SET Z_ENT = \(number)")
    #expect(throws: NSError.self) { try store.rows("Person") }
  }

  @Test(
    "an order without space between its numbers is renumbered",
    arguments: [[last, first], [first, last], [last, last], [first, first], ["0", last], [first, "0"]]
  )
  func order(_ places: [String]) throws {
    let stack = try Stack(.sqlite)
    let note = stack.note("n")
    for number in 1...2 as ClosedRange<Int16> {
      let page = Page(context: stack.context)
      page.number = number
      page.note = note
    }
    try stack.save()
    let folder = try TemporaryFolder()
    let file = stack.folder.appendingPathComponent("store.sqlite")
    for (index, place) in places.enumerated() {
      try folder.execute("UPDATE ZPAGE SET Z_FOK_NOTE = \(place) WHERE ZNUMBER = \(index + 1)", at: file)
    }
    for position in [0, 1, 2] {
      let context = stack.newContext()
      let same = try #require(try stack.fetch(Note.self, in: context).first)
      let page = Page(context: context)
      page.number = 9
      let pages = NSMutableOrderedSet(orderedSet: same.pages)
      pages.insert(page, at: position)
      same.pages = pages
      try context.save()
      let other = stack.newContext()
      let saved = try #require(try stack.fetch(Note.self, in: other).first)
      let wanted = pages.compactMap { ($0 as? NSManagedObject)?.objectID }
      #expect(saved.pages.compactMap { ($0 as? NSManagedObject)?.objectID } == wanted)
    }
  }

  @Test("numbers of a history, its tokens and times may be anything", arguments: [last, first, "-1"])
  func history(_ number: String) throws {
    let store = try TrackedStore()
    let context = try store.context()
    context.note("one")
    try context.save()
    let folder = store.folder
    try folder.execute("UPDATE ATRANSACTION SET Z_PK = \(number), ZTIMESTAMP = 1e308")
    try folder.execute("UPDATE ACHANGE SET ZTRANSACTIONID = \(number), ZCHANGETYPE = 2")
    for token in [Int64.max, .min, 0, -1] {
      let identifier = try #require(context.persistentStoreCoordinator?.persistentStores.first?.identifier)
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: NSPersistentHistoryToken(numbers: [identifier: token])
      )
      _ = try? context.execute(request)
    }
    let all = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
    let result = try context.execute(all) as? NSPersistentHistoryResult
    #expect(
      (result?.result as? [NSPersistentHistoryTransaction])?.map { "\($0.transactionNumber)" } == [number]
    )
    context.note("two")
    let saved = Result { try context.save() }
    if number == Self.last {
      #expect(throws: NSError.self) { try saved.get() }
      #expect(try folder.query("SELECT COUNT(*) FROM ZNOTE") == [1])
    } else {
      try saved.get()
    }
  }
}
