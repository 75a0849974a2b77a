import CoreData
import Foundation
import Testing

@Suite("Descriptions of requests")
struct RequestDescriptionTests {
  @Test("a fetch request prints its entity, predicate, order and form")
  func fetchRequests() throws {
    let request = NSFetchRequest<Note>(entityName: "Note")
    #expect(
      masked(request) == """
        <NSFetchRequest: 0x…> (entity: Note; predicate: ((null)); sortDescriptors: ((null)); \
        type: NSManagedObjectResultType; )
        """
    )
    request.predicate = NSPredicate(format: "title CONTAINS 'e' AND rating > 3")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    request.resultType = .dictionaryResultType
    #expect(
      masked(request) == """
        <NSFetchRequest: 0x…> (entity: Note; predicate: (title CONTAINS "e" AND rating > 3); sortDescriptors: ((
            "(title, ascending, compare:)"
        )); type: NSDictionaryResultType; )
        """
    )
    #expect(masked(NSFetchRequest<Note>()).contains("(entity: (null); predicate"))
  }

  @Test("further settings are printed after the form, and a cast request prints as its original")
  func settings() throws {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.fetchLimit = 10
    request.fetchOffset = 5
    request.fetchBatchSize = 20
    request.includesSubentities = false
    request.returnsDistinctResults = true
    request.relationshipKeyPathsForPrefetching = ["tags"]
    request.propertiesToFetch = ["title"]
    let text = """
      <NSFetchRequest: 0x…> (entity: Note; predicate: ((null)); sortDescriptors: ((null)); \
      type: NSManagedObjectResultType; fetchLimit: 10; fetchOffset: 5; fetchBatchSize: 20; includesSubentities: 0; \
      returnsDistinctResults: 1; relationshipKeyPathsForPrefetching: (
          tags
      ); propertiesToFetch: (
          title
      ); )
      """
    #expect(masked(request) == text)
    #expect(masked(request.castingResults(to: NSFetchRequestResult.self)) == text)
  }

  @Test("a predicate that is very long or nested too deeply is shortened")
  func longPredicates() throws {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "rating IN %@", Array(0..<100_000))
    #expect(request.description.utf8.count < 5_000)
    #expect(request.description.contains(" more bytes...)); sortDescriptors"))
    var predicate = NSPredicate(format: "rating > 3")
    for _ in 0..<10_000 { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
    request.predicate = predicate
    #expect(request.description.utf8.count < 5_000)
  }

  @Test("batch requests print their objects and the type of their results")
  func batches() throws {
    let insertion = NSBatchInsertRequest(entityName: "Note", objects: [["title": "One"], ["title": "Two"]])
    #expect(
      masked(insertion)
        == "<NSBatchInsertRequest: 0x…> (entity: Note; objectsToInsert: 2; resultType: statusOnly)"
    )
    let handled = NSBatchInsertRequest(entityName: "Note", dictionaryHandler: { _ in true })
    #expect(masked(handled).contains("objectsToInsert: by a handler;"))

    let update = NSBatchUpdateRequest(entityName: "Note")
    update.predicate = NSPredicate(format: "rating > 3")
    update.propertiesToUpdate = [
      "title": "A \"b\"", "rating": NSExpression(format: "rating + 1"), "link": NSNull(),
    ]
    update.resultType = .updatedObjectsCountResultType
    #expect(
      masked(update) == #"""
        <NSBatchUpdateRequest: 0x…> (entity: Note; predicate: (rating > 3); propertiesToUpdate: {
            link = "<null>";
            rating = "rating + 1";
            title = "A \"b\"";
        }; resultType: updatedObjectsCount)
        """#
    )
    let deletion = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Note>(entityName: "Note"))
    deletion.resultType = .resultTypeCount
    #expect(
      masked(deletion) == """
        <NSBatchDeleteRequest: 0x…> (fetchRequest: <NSFetchRequest: 0x…> (entity: Note; predicate: ((null)); \
        sortDescriptors: ((null)); type: NSManagedObjectResultType; ); resultType: count)
        """
    )
  }

  @Test("results print their form and their content, of which ten elements")
  func results() throws {
    let stack = try Stack(.sqlite)
    let insertion = NSBatchInsertRequest(
      entityName: "Note",
      objects: (0..<12).map { ["title": "\($0)"] as [String: Any] }
    )
    insertion.resultType = .objectIDs
    let inserted = masked(try stack.context.execute(insertion))
    #expect(
      inserted.hasPrefix(
        "<NSBatchInsertResult: 0x…> (resultType: objectIDs; result: (\n    \"0x… <x-coredata://"
      )
    )
    #expect(inserted.hasSuffix("    \"(...and 2 more...)\"\n))"))
    let update = NSBatchUpdateRequest(entityName: "Note")
    update.propertiesToUpdate = ["rating": 1]
    #expect(
      masked(try stack.context.execute(update))
        == "<NSBatchUpdateResult: 0x…> (resultType: statusOnly; result: 1)"
    )
    let deletion = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Note>(entityName: "Note"))
    deletion.resultType = .resultTypeCount
    #expect(
      masked(try stack.context.execute(deletion))
        == "<NSBatchDeleteResult: 0x…> (resultType: count; result: 12)"
    )
  }

  @Test("an asynchronous request prints its fetch request, and its result how much was found")
  func asynchronous() throws {
    let stack = try Stack(.inMemory)
    stack.note("One")
    try stack.save()
    let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<Note>(entityName: "Note"))
    #expect(
      masked(request).hasPrefix("<NSAsynchronousFetchRequest: 0x…> (fetchRequest: <NSFetchRequest: 0x…> (")
    )
    let result = try stack.context.execute(NSFetchRequest<Note>(entityName: "Note"))
    #expect(masked(result).hasSuffix("type: NSManagedObjectResultType; ); finalResult: 1 results)"))
  }

  @Test("a save request prints the IDs of its objects")
  func saves() throws {
    let stack = try Stack(.inMemory)
    let note = stack.note("One")
    let request = NSSaveChangesRequest(inserted: [note], updated: [], deleted: nil, locked: nil)
    #expect(
      masked(request) == """
        <NSSaveChangesRequest: 0x…> (inserted: (
            "0x… <x-coredata:///Note/t…>"
        ); updated: (
        ); deleted: (null); locked: (null))
        """
    )
  }
}
