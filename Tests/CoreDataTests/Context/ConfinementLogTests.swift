import CoreData
import Foundation
import TestModels
import Testing

@testable import CoreData

/// The warnings that debug builds log when a context is used outside of its queue. Each test runs in its own process, because
/// each place is logged once per process.
@Suite("Log of confinement")
struct ConfinementLogTests {
  /// Enables the log in release builds too.
  private static func log() { setenv("COREDATA_CONCURRENCY_DEBUG", "log", 1) }

  /// Reports an unexpected result to the test.
  private static func report(_ fault: String) {
    FileHandle.standardError.write(Data("FAULT \(fault)\n".utf8))
  }

  private static func faults(in result: ExitTest.Result?) throws -> [Substring] {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    return text.split(separator: "\n").filter { $0.hasPrefix("FAULT ") }
  }

  private static func lines(_ result: ExitTest.Result?, about place: String) throws -> Int {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let words = " and \(place) was used outside of it by "
    return text.split(separator: "\n").filter { $0.contains(words) }.count
  }

  private typealias Use = (place: String, use: () throws -> Void)

  /// Performs each use twice, and reports the places that the log does not contain exactly once.
  private static func carryOut(_ uses: [Use]) throws {
    for (place, use) in uses {
      if ConfinementLog.places.contains(place) { report("\(place) was logged before") }
      for _ in 1...2 {
        do { try use() } catch { report("\(place) threw \(error)") }
      }
      if !ConfinementLog.places.contains(place) { report("\(place) is not logged") }
    }
  }

  // MARK: - The members of a context

  private struct Scene: @unchecked Sendable {
    let stack: Stack
    let note: Note
    let other: Note
    let controller: NSFetchedResultsController<Note>

    init() throws {
      stack = try Stack(.inMemory)
      note = stack.note("One")
      other = stack.note("Two")
      try stack.context.save()
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [.byTitle]
      controller = NSFetchedResultsController(
        fetchRequest: request,
        managedObjectContext: stack.context,
        sectionNameKeyPath: "title",
        cacheName: nil
      )
      try controller.performFetch()
    }
  }

  private static func usesOfContext(_ scene: Scene) -> [Use] {
    let (context, note, other) = (scene.stack.context, scene.note, scene.other)
    let request = NSFetchRequest<Note>(entityName: "Note")
    let plain = NSFetchRequest<NSManagedObject>(entityName: "Note")
    let store = scene.stack.coordinator.persistentStores[0]
    let update = NSBatchUpdateRequest(entityName: "Note")
    update.propertiesToUpdate = ["rating": 4]
    func newNote() -> Note {
      let note = Note(context: context)
      note.title = "New"
      return note
    }
    let reading: [Use] = [
      ("insert(_:)", { _ = newNote() }),
      ("fetch(_:)", { _ = try context.fetch(request) }),
      ("count(for:)", { _ = try context.count(for: request) }),
      ("forEachBatch(of:size:_:)", { try context.forEachBatch(of: plain, size: 10) { _ in } }),
      (
        "forEachSavedValues(of:attributes:_:)",
        { try context.forEachSavedValues(of: plain, attributes: ["title"]) { _ in } }
      ),
      ("insertedObjects", { _ = context.insertedObjects }),
      ("updatedObjects", { _ = context.updatedObjects }),
      ("deletedObjects", { _ = context.deletedObjects }),
      ("registeredObjects", { _ = context.registeredObjects }),
      ("hasChanges", { _ = context.hasChanges }),
      ("registeredObject(for:)", { _ = context.registeredObject(for: note.objectID) }),
      ("object(with:)", { _ = context.object(with: note.objectID) }),
      ("existingObject(with:)", { _ = try context.existingObject(with: note.objectID) }),
    ]
    let changing: [Use] = [
      ("processPendingChanges()", { context.processPendingChanges() }),
      ("obtainPermanentIDs(for:)", { try context.obtainPermanentIDs(for: [newNote()]) }),
      ("assign(_:to:)", { context.assign(newNote(), to: store) }),
      ("detectConflicts(for:)", { context.detectConflicts(for: note) }),
      ("refresh(_:mergeChanges:)", { context.refresh(note, mergeChanges: true) }),
      ("refreshAllObjects()", { context.refreshAllObjects() }),
      ("undo()", { context.undo() }),
      ("redo()", { context.redo() }),
      ("setQueryGenerationFrom(_:)", { try context.setQueryGenerationFrom(nil) }),
      ("delete(_:)", { context.delete(other) }),
      ("save()", { try context.save() }),
      ("execute(_:)", { _ = try context.execute(update) }),
      ("rollback()", { context.rollback() }),
      ("reset()", { context.reset() }),
    ]
    return reading + usesOfController(scene) + changing
  }

  private static func usesOfController(_ scene: Scene) -> [Use] {
    let (controller, note) = (scene.controller, scene.note)
    return [
      ("performFetch()", { try controller.performFetch() }),
      ("fetchedObjects", { _ = controller.fetchedObjects }),
      ("object(at:)", { _ = controller.object(at: IndexPath(item: 0, section: 0)) }),
      ("indexPath(forObject:)", { _ = controller.indexPath(forObject: note) }),
      ("sections", { _ = controller.sections }),
      ("sectionIndexTitles", { _ = controller.sectionIndexTitles }),
      (
        "section(forSectionIndexTitle:at:)",
        { _ = controller.section(forSectionIndexTitle: "O", at: 0) }
      ),
    ]
  }

  @Test("each member of a context and of a fetched results controller is logged once, with the remedy")
  func membersOfContext() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      ConfinementLogTests.log()
      let scene = try ConfinementLogTests.Scene()
      try await Task.detached {
        try ConfinementLogTests.carryOut(ConfinementLogTests.usesOfContext(scene))
      }.value
    }
    #expect(try Self.faults(in: result) == [])
    for (place, _) in Self.usesOfContext(try Scene()) {
      #expect(try Self.lines(result, about: place) == 1, "\(place)")
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("await context.perform { … }"))
    #expect(text.contains("COREDATA_CONCURRENCY_DEBUG=1"))
  }

  // MARK: - The members of an object

  private typealias ObjectUse = (name: String, use: @Sendable (NSManagedObject) throws -> Void)

  private static let usesOfObject: [ObjectUse] = [
    ("value(forKey:) of an attribute", { _ = $0.value(forKey: "name") }),
    ("value(forKey:) of a relationship that was read", { _ = $0.value(forKey: "one") }),
    ("value(forKey:) of a to-many relationship that was read", { _ = $0.value(forKey: "many") }),
    ("value(forKeyPath:)", { _ = $0.value(forKeyPath: "one.name") }),
    ("setValue(_:forKey:) of an attribute", { $0.setValue("x", forKey: "name") }),
    ("setValue(_:forKey:) of a relationship", { $0.setValue(nil, forKey: "one") }),
    ("setValue(_:forKey:) of a to-many relationship", { $0.setValue(NSSet(), forKey: "many") }),
    ("dictionaryWithValues(forKeys:)", { _ = $0.dictionaryWithValues(forKeys: ["name"]) }),
    ("primitiveValue(forKey:)", { _ = $0.primitiveValue(forKey: "name") }),
    ("setPrimitiveValue(_:forKey:)", { $0.setPrimitiveValue("x", forKey: "name") }),
    ("willAccessValue(forKey:)", { $0.willAccessValue(forKey: "name") }),
    ("willChangeValue(forKey:)", { $0.willChangeValue(forKey: "name") }),
    ("didChangeValue(forKey:)", { $0.didChangeValue(forKey: "name") }),
    ("hasPersistentChangedValues", { _ = $0.hasPersistentChangedValues }),
    ("changedValues()", { _ = $0.changedValues() }),
    ("changedValuesForCurrentEvent()", { _ = $0.changedValuesForCurrentEvent() }),
    ("committedValues(forKeys:)", { _ = $0.committedValues(forKeys: nil) }),
    ("hasFault(forRelationshipNamed:)", { _ = $0.hasFault(forRelationshipNamed: "many") }),
    ("objectIDs(forRelationshipNamed:)", { _ = $0.objectIDs(forRelationshipNamed: "many") }),
    ("mutableSetValue(forKey:)", { _ = $0.mutableSetValue(forKey: "many").count }),
    ("validateForInsert()", { try $0.validateForInsert() }),
    ("validateForUpdate()", { try $0.validateForUpdate() }),
    ("validateForDelete()", { try $0.validateForDelete() }),
    ("managedValue(_:)", { let _: String? = $0.managedValue("name") }),
    ("setManagedValue(_:_:)", { $0.setManagedValue("x" as String?, "name") }),
    ("addManagedValue(_:_:)", { $0.addManagedValue($0, "many") }),
    ("removeManagedValue(_:_:)", { $0.removeManagedValue($0, "many") }),
  ]

  /// A model with one entity for each use, because each entity is logged once.
  private static func modelOfUses() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = usesOfObject.indices.map { index in
      let (one, many) = (makeRelationship("one"), makeRelationship("many", toMany: true))
      let entity = makeEntity("Use\(index)", makeAttribute("name"), one, many)
      (one.destinationEntity, many.destinationEntity) = (entity, entity)
      (one.inverseRelationship, many.inverseRelationship) = (many, one)
      return entity
    }
    return model
  }

  @Test("each member of an object is logged by the name of the entity")
  func membersOfObject() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      ConfinementLogTests.log()
      let stack = try Stack(.inMemory, model: ConfinementLogTests.modelOfUses())
      var objects: [NSManagedObject] = []
      for index in ConfinementLogTests.usesOfObject.indices {
        let object = NSEntityDescription.insertNewObject(forEntityName: "Use\(index)", into: stack.context)
        object.setValue("name", forKey: "name")
        object.setValue(object, forKey: "one")
        objects.append(object)
      }
      try stack.context.save()
      for object in objects { _ = [object.value(forKey: "one"), object.value(forKey: "many")] }
      let used = UncheckedSendable(objects)
      try await Task.detached {
        try ConfinementLogTests.carryOut(
          zip(used.value, ConfinementLogTests.usesOfObject).map { object, member in
            ("an object of the entity \(object.entity.name ?? "")", { try member.use(object) })
          }
        )
      }.value
      withExtendedLifetime(stack) {}
    }
    let faults = try Self.faults(in: result)
    for (index, member) in Self.usesOfObject.enumerated() {
      let place = "an object of the entity Use\(index)"
      #expect(!faults.contains { $0.contains("\(place) ") }, "\(member.name)")
      #expect(try Self.lines(result, about: place) == 1, "\(member.name)")
    }
  }

  // MARK: - Safe uses

  @Test("the task that made a context uses it alone without its queue, and nothing is logged")
  func maker() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      ConfinementLogTests.log()
      let stack = try Stack(.inMemory)
      let context = NSManagedObjectContext(.mainQueue)
      context.persistentStoreCoordinator = stack.coordinator
      for round in 1...40 {
        for used in [context, stack.context] {
          for number in 1...25 { Note(context: used).title = "\(round).\(number)" }
          used.processPendingChanges()
          try used.save()
        }
        // The task may continue on another thread.
        await Task.yield()
      }
      await stack.context.perform {}
      stack.context.performAndWait {}
      let count = try stack.context.count(for: NSFetchRequest<Note>(entityName: "Note"))
      if count != 2000 { ConfinementLogTests.report("\(count) notes") }
      for place in ConfinementLog.places { ConfinementLogTests.report(place) }
    }
    #expect(try Self.faults(in: result) == [])
  }

  @Test("uses on the queue are not logged, whichever thread made the context")
  func onQueue() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      ConfinementLogTests.log()
      let stack = try Stack(.sqlite)
      let main = NSManagedObjectContext(.mainQueue)
      main.persistentStoreCoordinator = stack.coordinator
      main.automaticallyMergesChangesFromParent = true
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...20 {
          for context in [stack.context, main] {
            group.addTask {
              try await context.perform {
                let note = Note(context: context)
                note.title = "\(number)"
                _ = try context.fetch(NSFetchRequest<Note>(entityName: "Note")).map(\.title)
                try context.save()
              }
            }
          }
          group.addTask { @MainActor in
            Note(context: main).title = "main \(number)"
            try main.save()
          }
        }
        try await group.waitForAll()
      }
      for place in ConfinementLog.places { ConfinementLogTests.report(place) }
    }
    #expect(try Self.faults(in: result) == [])
  }

  // MARK: - Hazards

  @Test("the maker's own uses are logged once other code uses the queue")
  func shared() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      ConfinementLogTests.log()
      func expectLogged(_ place: String, _ reason: String, _ use: () throws -> Void) rethrows {
        try use()
        if !ConfinementLog.places.contains(place) { ConfinementLogTests.report(reason) }
      }
      let stack = try Stack(.inMemory)
      let byTask = stack.newContext()
      await Task.detached { await byTask.perform {} }.value
      expectLogged("hasChanges", "another task's perform") { _ = byTask.hasChanges }

      let byBlock = stack.newContext()
      // In an async function, a call of `perform` would select the awaited overload.
      func giveBlock() { byBlock.perform {} }
      giveBlock()
      expectLogged("insertedObjects", "a block that is not awaited") { _ = byBlock.insertedObjects }

      let merging = stack.newContext()
      merging.automaticallyMergesChangesFromParent = true
      expectLogged("updatedObjects", "automatic merges") { _ = merging.updatedObjects }

      let mergedInto = stack.newContext()
      await Task.detached {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [:], into: [mergedInto])
      }.value
      expectLogged("deletedObjects", "a merge by another task") { _ = mergedInto.deletedObjects }

      let parent = stack.newContext()
      await Task.detached {
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = parent
        child.performAndWait { _ = try? child.count(for: NSFetchRequest<Note>(entityName: "Note")) }
      }.value
      expectLogged("registeredObjects", "a child of another task") { _ = parent.registeredObjects }
    }
    #expect(try Self.faults(in: result) == [])
  }

  @Test("a main-queue context that the main thread made is logged in an async function of no actor")
  func viewContext() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      ConfinementLogTests.log()
      let stack = try Stack(.inMemory)
      let context = await MainActor.run { NSManagedObjectContext(.mainQueue) }
      context.persistentStoreCoordinator = stack.coordinator
      try await ConfinementLogTests.useWithoutActor(context)
    }
    #expect(try Self.lines(result, about: "count(for:)") == 1)
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("belongs to the main queue"))
    #expect(text.contains("by a task"))
    #expect(text.contains("functions of @MainActor"))
  }

  @concurrent private static func useWithoutActor(_ context: NSManagedObjectContext) async throws {
    _ = try context.count(for: NSFetchRequest<Note>(entityName: "Note"))
  }

  /// Thread Sanitizer rightly reports this program.
  private static let isSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil

  @Test(
    "a misuse by many concurrent tasks is logged before it crashes",
    .disabled(if: isSanitized, "the program is a data race on purpose, which Thread Sanitizer reports")
  )
  func manyTasks() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      ConfinementLogTests.log()
      // The misuse may crash the program at any point. The test only requires that the misuse is logged first.
      for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
        signal(number) { _ in _exit(EXIT_SUCCESS) }
      }
      // The program must not hang. The alarm would end it by a signal, which fails the test.
      alarm(300)
      let stack = try Stack(.inMemory)
      let context = await MainActor.run { NSManagedObjectContext(.mainQueue) }
      context.persistentStoreCoordinator = stack.coordinator
      await withTaskGroup(of: Void.self) { group in
        for number in 1...16 {
          group.addTask {
            for round in 1...10 {
              let note = Note(context: context)
              note.title = "\(number).\(round)"
              _ = try? context.fetch(NSFetchRequest<Note>(entityName: "Note"))
              try? context.save()
            }
          }
        }
      }
    }
    #expect(try Self.lines(result, about: "insert(_:)") == 1)
  }
}
