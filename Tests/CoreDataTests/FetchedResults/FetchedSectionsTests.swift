import CoreData
import Foundation
import Testing

@Suite("The sections of a fetched results controller")
struct FetchedSectionsTests {
  private func path(_ item: Int, _ section: Int = 0) -> IndexPath { IndexPath(item: item, section: section) }

  private func shape(_ controller: NSFetchedResultsController<Note>) -> [String] {
    (controller.sections ?? []).map { section in
      "\(section.name):\((section.objects as? [Note] ?? []).compactMap(\.title).joined())"
    }
  }

  /// Notes a and c of category 1, and note b of category 2, with a controller that has fetched.
  private func sectioned(_ kind: StoreKind) throws -> (
    Stack, NSFetchedResultsController<Note>, ChangeRecorder
  ) {
    let stack = try Stack(kind)
    let (one, two) = (stack.category("1"), stack.category("2"))
    stack.note("a", one)
    stack.note("b", two)
    stack.note("c", one)
    try stack.save()
    let controller = try stack.controller(sort: ["category.name", "title"], sections: "category.name")
    let recorder = ChangeRecorder(controller)
    try controller.performFetch()
    recorder.start(controller)
    return (stack, controller, recorder)
  }

  @Test("an object that comes into a section is inserted there", arguments: StoreKind.allCases)
  func insertion(_ kind: StoreKind) throws {
    let (stack, controller, recorder) = try sectioned(kind)
    let one = try #require(try stack.fetch(Category.self, "name == '1'").first)
    let new = stack.note("b", one)
    stack.context.processPendingChanges()
    #expect(shape(controller) == ["1:abc", "2:b"])
    #expect(recorder.told == [.will, .object(new.objectID, nil, .insert, path(1)), .did])
    #expect(recorder.isCopyOf(controller))
  }

  @Test("an object of a new section adds the section", arguments: StoreKind.allCases)
  func newSection(_ kind: StoreKind) throws {
    let (stack, controller, recorder) = try sectioned(kind)
    let new = stack.note("z", stack.category("15"))
    stack.context.processPendingChanges()
    #expect(shape(controller) == ["1:ac", "15:z", "2:b"])
    #expect(
      recorder.told == [
        .will, .section("15", 1, .insert), .object(new.objectID, nil, .insert, path(0, 1)), .did,
      ]
    )
    #expect(recorder.isCopyOf(controller))
  }

  @Test("the last object of a section takes the section with it", arguments: StoreKind.allCases)
  func emptiedSection(_ kind: StoreKind) throws {
    let (stack, controller, recorder) = try sectioned(kind)
    let last = controller.object(at: path(0, 1))
    let objectID = last.objectID
    stack.context.delete(last)
    stack.context.processPendingChanges()
    #expect(shape(controller) == ["1:ac"])
    #expect(
      recorder.told == [.will, .object(objectID, path(0, 1), .delete, nil), .section("2", 1, .delete), .did]
    )
  }

  @Test("an object that changes its section moves between them", arguments: StoreKind.allCases)
  func moved(_ kind: StoreKind) throws {
    let (stack, controller, recorder) = try sectioned(kind)
    let note = controller.object(at: path(0, 0))
    note.category = try stack.fetch(Category.self, "name == '2'").first
    stack.context.processPendingChanges()
    #expect(shape(controller) == ["1:c", "2:ab"])
    #expect(recorder.told == [.will, .object(note.objectID, path(0, 0), .move, path(0, 1)), .did])
    #expect(recorder.isCopyOf(controller))
  }

  @Test("a change that does not move an object updates it", arguments: StoreKind.allCases)
  func updated(_ kind: StoreKind) throws {
    let (stack, controller, recorder) = try sectioned(kind)
    let note = controller.object(at: path(1, 0))
    note.rating = 9
    stack.context.processPendingChanges()
    #expect(recorder.told == [.will, .object(note.objectID, path(1, 0), .update, path(1, 0)), .did])
  }

  @Test("an object that is not among the results has no index path", arguments: StoreKind.allCases)
  func stranger(_ kind: StoreKind) throws {
    let (stack, controller, recorder) = try sectioned(kind)
    let note = controller.object(at: path(0, 0))
    #expect(controller.indexPath(forObject: note) == path(0, 0))
    stack.context.delete(note)
    stack.context.processPendingChanges()
    #expect(controller.indexPath(forObject: note) == nil)
    #expect(controller.indexPath(forObject: controller.object(at: path(0, 0))) == path(0, 0))
    #expect(recorder.isCopyOf(controller))
  }

  @Test("results have no places before they are fetched", arguments: StoreKind.allCases)
  func beforeFetch(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("a")
    let controller = try stack.controller()
    #expect(controller.fetchedObjects == nil && controller.sections == nil)
    #expect(controller.indexPath(forObject: note) == nil)
    #expect(controller.sectionIndexTitles.isEmpty)
  }

  @Test("a controller returns its initial settings", arguments: StoreKind.allCases)
  func settings(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let controller = try stack.controller(sections: "category.name", cache: "a cache of \(kind)")
    #expect(controller.managedObjectContext === stack.context)
    #expect(controller.sectionNameKeyPath == "category.name" && controller.cacheName == "a cache of \(kind)")
    #expect(controller.fetchRequest.entityName == "Note" && controller.delegate == nil)
    NSFetchedResultsController<Note>.deleteCache(withName: nil)
  }

  @Test("a second fetch starts again with the current objects", arguments: StoreKind.allCases)
  func performedAgain(_ kind: StoreKind) throws {
    let (stack, controller, recorder) = try sectioned(kind)
    controller.fetchRequest.sortDescriptors = [
      NSSortDescriptor(key: "category.name", ascending: false), .byTitle,
    ]
    try controller.performFetch()
    #expect(shape(controller) == ["2:b", "1:ac"])
    #expect(recorder.told.isEmpty)
    withExtendedLifetime(stack) {}
  }

  @Test("changes of objects that do not match are not reported", arguments: StoreKind.allCases)
  func leftOut(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (low, high) = (stack.note("low", rating: 1), stack.note("high", rating: 9))
    try stack.save()
    let controller = try stack.controller("rating > 5")
    let recorder = ChangeRecorder(controller)
    try controller.performFetch()
    recorder.start(controller)
    low.title = "lower"
    stack.context.processPendingChanges()
    #expect(recorder.told.isEmpty && controller.titles == ["high"])
    high.title = "higher"
    stack.context.processPendingChanges()
    #expect(recorder.told.count == 3 && controller.titles == ["higher"])
  }

  @Test("a controller is released with its last reference while tracking", arguments: StoreKind.allCases)
  func letGo(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("a")
    weak var controller: NSFetchedResultsController<Note>?
    try {
      let made = try stack.controller()
      let recorder = ChangeRecorder(made)
      try made.performFetch()
      recorder.start(made)
      controller = made
    }()
    #expect(controller == nil)
    stack.note("b")
    stack.context.processPendingChanges()
  }
}
