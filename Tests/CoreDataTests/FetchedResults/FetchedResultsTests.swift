import CoreData
import Foundation
import Testing

@Suite("A fetched results controller")
struct FetchedResultsTests {
  @Test("a controller finds objects in order, by index and by object", arguments: StoreKind.allCases)
  func lookup(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for title in ["b", "c", "a"] { stack.note(title) }
    try stack.save()
    let controller = try stack.controller()
    #expect(controller.fetchedObjects == nil && controller.sections == nil)
    try controller.performFetch()
    #expect(controller.titles == ["a", "b", "c"])
    let path = IndexPath(item: 1, section: 0)
    #expect(controller.object(at: path).title == "b")
    #expect(controller.indexPath(forObject: controller.object(at: path)) == path)
    #expect(controller.sections?.map(\.numberOfObjects) == [3])
    #expect(controller.indexPath(forObject: stack.note("d")) == nil)
  }

  @Test("a controller includes objects of subclasses, also those inserted later")
  func subclasses() throws {
    let stack = try Stack(.inMemory)
    Employee(context: stack.context).name = "a"
    try stack.save()
    let request = NSFetchRequest<Person>(entityName: "Person")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: stack.context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    let delegate = SilentDelegate()
    controller.delegate = delegate
    try controller.performFetch()
    func found() -> [String]? { controller.fetchedObjects?.map { "\(type(of: $0)) \($0.name ?? "")" } }
    #expect(found() == ["Employee a"])
    Person(context: stack.context).name = "b0"
    stack.context.processPendingChanges()
    #expect(found() == ["Employee a", "Person b0"])
    Employee(context: stack.context).name = "b1"
    stack.context.processPendingChanges()
    #expect(found() == ["Employee a", "Person b0", "Employee b1"])
    let before = controller.fetchedObjects
    stack.context.delete(try #require(before?.first))
    stack.context.processPendingChanges()
    #expect(found() == ["Person b0", "Employee b1"] && before?.count == 3)
  }

  @Test(
    "without objects, a controller has one empty section, and none if sections have names",
    arguments: StoreKind.storesAndChildren
  )
  func empty(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let plain = try stack.controller()
    try plain.performFetch()
    #expect(plain.sections?.map(\.numberOfObjects) == [0])
    let sectioned = try stack.controller(sections: "title")
    try sectioned.performFetch()
    #expect(sectioned.sections?.count == 0)
  }

  @Test("a controller groups objects by a key path, with index titles", arguments: StoreKind.allCases)
  func sections(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (food, fun) = (stack.category("food"), stack.category("fun"))
    stack.note("a", fun)
    stack.note("b", food)
    stack.note("c", fun)
    stack.note("d", stack.category("work"))
    try stack.save()
    let controller = try stack.controller(sort: ["category.name", "title"], sections: "category.name")
    try controller.performFetch()
    #expect(controller.sections?.map(\.name) == ["food", "fun", "work"])
    #expect(
      controller.sections?.map { ($0.objects as? [Note])?.map(\.title) } == [["b"], ["a", "c"], ["d"]]
    )
    #expect(controller.titles == ["b", "a", "c", "d"])
    #expect(controller.sectionIndexTitles == ["F", "W"])
    #expect(controller.sections?.map(\.indexTitle) == ["F", "F", "W"])
    #expect(controller.section(forSectionIndexTitle: "W", at: 1) == 2)
    #expect(controller.sectionIndexTitle(forSectionName: "éa") == "É")
  }

  @Test(
    "a controller refuses objects that are not sorted by section",
    arguments: StoreKind.storesAndChildren
  )
  func outOfOrder(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (one, two) = (stack.category("1"), stack.category("2"))
    stack.note("a", one)
    stack.note("b", two)
    stack.note("c", one)
    let controller = try stack.controller(sections: "category.name")
    let error = try #require(throws: (any Error).self) { try controller.performFetch() } as NSError
    #expect(error.localizedDescription.contains("index 2 has the section name \"1\""))
  }

  @Test(
    "a controller caches sections under a name, and computes them again after a change",
    arguments: StoreKind.storesAndChildren
  )
  func cache(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (one, two) = (stack.category("1"), stack.category("2"))
    let notes = [stack.note("a", one), stack.note("b", one), stack.note("c", two)]
    func names() throws -> [String] {
      let controller = try stack.controller(
        sort: ["category.name", "title"],
        sections: "category.name",
        cache: "cache test"
      )
      #expect(controller.cacheName == "cache test")
      try controller.performFetch()
      return (controller.sections ?? []).map { "\($0.name):\($0.numberOfObjects)" }
    }
    #expect(try names() == ["1:2", "2:1"])
    #expect(try names() == ["1:2", "2:1"])
    notes[1].category = two
    #expect(try names() == ["1:1", "2:2"])
    NSFetchedResultsController<Note>.deleteCache(withName: "cache test")
    #expect(try names() == ["1:1", "2:2"])
  }

  @Test(
    "a controller without a delegate tracks nothing, and catches up when it gets one",
    arguments: StoreKind.storesAndChildren
  )
  func noDelegate(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let notes = ["a", "b", "c"].map { stack.note($0) }
    let controller = try stack.controller()
    try controller.performFetch()
    notes[0].title = "z"
    stack.note("d")
    stack.context.processPendingChanges()
    #expect(controller.titles == ["z", "b", "c"])
    let recorder = ChangeRecorder(controller)
    recorder.start(controller)
    stack.context.delete(notes[1])
    stack.context.processPendingChanges()
    #expect(controller.titles == ["c", "d", "z"])
    #expect(recorder.isCopyOf(controller))
  }

  @Test("a controller requires managed objects as results", arguments: StoreKind.storesAndChildren)
  func resultType(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let controller = try stack.controller()
    controller.fetchRequest.resultType = .countResultType
    #expect(throws: (any Error).self) { try controller.performFetch() }
  }

  @Test("a controller uses a changed request from the next fetch on", arguments: StoreKind.storesAndChildren)
  func changedRequest(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for title in ["a", "b"] { stack.note(title) }
    let controller = try stack.controller()
    try controller.performFetch()
    controller.fetchRequest.predicate = NSPredicate(format: "title == 'b'")
    #expect(controller.titles == ["a", "b"])
    try controller.performFetch()
    #expect(controller.titles == ["b"])
  }

  @Test("a controller has index paths like a list")
  func indexPaths() {
    var path = IndexPath(row: 2, section: 1)
    #expect(path == IndexPath(item: 2, section: 1) && path == IndexPath(indexes: [1, 2]))
    path.row = 5
    path.section = 4
    #expect(path.item == 5 && path.section == 4 && path == IndexPath(indexes: [4, 5]))
    path.item = 6
    #expect(path.row == 6)
  }

  @Test("a controller without sort descriptors tracks changes", arguments: StoreKind.allCases)
  func withoutOrder(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("a")
    try stack.save()
    let controller = try stack.controller(sort: [])
    let recorder = ChangeRecorder(controller)
    try controller.performFetch()
    recorder.start(controller)
    let new = stack.note("b")
    stack.context.processPendingChanges()
    #expect(Set(controller.titles) == ["a", "b"])
    #expect(recorder.isCopyOf(controller))
    stack.context.delete(new)
    stack.context.processPendingChanges()
    #expect(controller.titles == ["a"])
  }
}

/// A delegate, which makes a controller track its context.
private final class SilentDelegate: NSObject, NSFetchedResultsControllerDelegate {}
