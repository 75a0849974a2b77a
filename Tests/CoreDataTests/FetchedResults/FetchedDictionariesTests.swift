import CoreData
import Foundation
import Testing

@Suite("A fetched results controller of dictionaries")
struct FetchedDictionariesTests {
  private func stack(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    let (food, fun) = (stack.category("food"), stack.category("fun"))
    stack.note("b", rating: 1, food)
    stack.note("a", rating: 2, fun)
    stack.note("c", rating: 4, food)
    try stack.save()
    return stack
  }

  private func controller(
    _ request: NSFetchRequest<NSDictionary>,
    _ stack: Stack,
    sections: String? = nil,
    cache: String? = nil
  ) -> NSFetchedResultsController<NSDictionary> {
    NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: stack.context,
      sectionNameKeyPath: sections,
      cacheName: cache
    )
  }

  private func titles(_ controller: NSFetchedResultsController<NSDictionary>) -> [String]? {
    controller.fetchedObjects?.compactMap { $0["title"] as? String }
  }

  @Test("a controller has dictionaries, found by index and by value", arguments: StoreKind.allCases)
  func lookup(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = AggregateRequest(properties: ["title"], sort: [.byTitle]).request()
    let controller = controller(request, stack)
    #expect(controller.fetchedObjects == nil && controller.sections == nil)
    try controller.performFetch()
    #expect(controller.fetchedObjects == [["title": "a"], ["title": "b"], ["title": "c"]])
    #expect(controller.sections?.map(\.numberOfObjects) == [3])
    #expect(controller.sections?.first?.objects as? [NSDictionary] == controller.fetchedObjects)
    let path = IndexPath(item: 1, section: 0)
    #expect(controller.object(at: path) == ["title": "b"])
    #expect(controller.indexPath(forObject: controller.object(at: path)) == path)
    #expect(controller.indexPath(forObject: ["title": "c"]) == IndexPath(item: 2, section: 0))
    #expect(controller.indexPath(forObject: ["title": "none"]) == nil)
  }

  @Test(
    "a controller sorts dictionaries into sections by value, also for dotted names",
    arguments: StoreKind.allCases
  )
  func sections(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = AggregateRequest(
      properties: ["title", "category.name"],
      sort: [NSSortDescriptor(key: "category.name", ascending: true), .byTitle]
    ).request()
    // In the second round, the controller takes its sections from the cache.
    for _ in 0..<2 {
      let controller = controller(request, stack, sections: "category.name", cache: "dictionaries of \(kind)")
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == ["food", "fun"])
      #expect(controller.sections?.map(\.numberOfObjects) == [2, 1])
      #expect(controller.sectionIndexTitles == ["F"])
      #expect(controller.section(forSectionIndexTitle: "F", at: 0) == 0)
      #expect(controller.object(at: IndexPath(item: 0, section: 1))["title"] as? String == "a")
      #expect(titles(controller) == ["b", "c", "a"])
    }
  }

  @Test("a controller has groups with functions over their objects", arguments: StoreKind.allCases)
  func groups(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = AggregateRequest(
      properties: ["category.name", AggregateRequest.column("total", "@sum.rating")],
      groupBy: ["category.name"],
      sort: [NSSortDescriptor(key: "total", ascending: true)]
    ).request()
    let controller = controller(request, stack)
    try controller.performFetch()
    #expect(
      controller.fetchedObjects == [
        ["category.name": "fun", "total": 2], ["category.name": "food", "total": 5],
      ]
    )
  }

  @Test("a controller of dictionaries changes when it refetches", arguments: StoreKind.storesAndChildren)
  func changes(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = AggregateRequest(properties: ["title"], sort: [.byTitle]).request()
    let controller = controller(request, stack)
    let delegate = CountingDelegate()
    controller.delegate = delegate
    try controller.performFetch()
    stack.note("d")
    stack.context.processPendingChanges()
    #expect(delegate.count == 0 && titles(controller) == ["a", "b", "c"])
    try controller.performFetch()
    #expect(titles(controller) == ["a", "b", "c", "d"])
    try stack.save()
    #expect(delegate.count == 0)
  }

  @Test("a controller can switch from and to dictionaries", arguments: [StoreKind.inMemory, .sqlite])
  func otherForm(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Note")
    request.sortDescriptors = [.byTitle]
    let controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: stack.context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    let delegate = CountingDelegate()
    controller.delegate = delegate
    for isOfObjects in [true, false, true] {
      request.resultType = isOfObjects ? .managedObjectResultType : .dictionaryResultType
      try controller.performFetch()
      let count = controller.fetchedObjects?.count ?? 0
      #expect(controller.fetchedObjects?.first is Note == isOfObjects)
      #expect(controller.fetchedObjects?.first is NSDictionary != isOfObjects)
      let told = delegate.count
      stack.note("new")
      stack.context.processPendingChanges()
      #expect(controller.fetchedObjects?.count == (isOfObjects ? count + 1 : count))
      #expect(delegate.count == (isOfObjects ? told + 1 : told))
    }
  }

  @Test(
    "a controller does not support object IDs or counts as results",
    arguments: [NSFetchRequestResultType.managedObjectIDResultType, .countResultType]
  )
  func refused(_ type: NSFetchRequestResultType) throws {
    let stack = try stack(.inMemory)
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Note")
    (request.sortDescriptors, request.resultType) = ([.byTitle], type)
    let controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: stack.context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    let error = #expect(throws: NSError.self) { try controller.performFetch() }
    #expect(error?.localizedDescription.contains("resultType") == true)
  }

  private final class CountingDelegate: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var count = 0

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
      count += 1
    }
  }
}
