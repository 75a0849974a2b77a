import CoreData
import Foundation
import Testing

@Suite("The life of an object")
struct LifeCycleTests {
  @Test("awakeFromInsert is called once, when the default values are set", arguments: StoreKind.allCases)
  func insert(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = Witness(context: stack.context)
    #expect(witness.events == ["awakeFromInsert 7"])
    try stack.save()
    #expect(witness.events.filter { $0.hasPrefix("awakeFromInsert") }.count == 1)
  }

  @Test("an object without a context awakes when it is inserted", arguments: StoreKind.allCases)
  func insertLater(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let entity = try #require(NSEntityDescription.entity(forEntityName: "Witness", in: stack.context))
    let witness = Witness(entity: entity, insertInto: nil)
    #expect(witness.events.isEmpty)
    #expect(witness.managedObjectContext == nil)
    stack.context.insert(witness)
    #expect(witness.events == ["awakeFromInsert 7"])
    #expect(witness.managedObjectContext === stack.context)
    #expect(witness.isInserted)
  }

  @Test("awakeFromFetch is called when the fault is fired", arguments: StoreKind.allCases)
  func fetch(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = stack.witness("w")
    try stack.save()
    let witness = try #require(try stack.fetch(Witness.self, in: stack.newContext()).first)
    #expect(witness.events.isEmpty)
    #expect(witness.name == "w")
    #expect(witness.events == ["awakeFromFetch"])
    _ = witness.count
    #expect(witness.events == ["awakeFromFetch"])
  }

  @Test("awakeFromFetch is called again after the object was a fault", arguments: StoreKind.allCases)
  func fetchAgain(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.save()
    stack.context.refresh(witness, mergeChanges: false)
    witness.events = []
    _ = witness.name
    #expect(witness.events == ["awakeFromFetch"])
  }

  @Test("values set by awakeFromFetch do not mark the object as changed", arguments: StoreKind.allCases)
  func settingInAwake(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = stack.witness("w")
    try stack.save()
    let context = stack.newContext()
    let witness = try #require(try stack.fetch(Witness.self, in: context).first)
    #expect(witness.label == Witness.labelOfFetched)
    #expect(!witness.hasChanges)
    #expect(!witness.isUpdated)
    #expect(!context.hasChanges)
    #expect(context.updatedObjects.isEmpty)
  }

  @Test("willSave comes before the save and didSave after it, without changes", arguments: StoreKind.allCases)
  func save(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    witness.events = []
    try stack.context.save()
    #expect(witness.events == ["willSave", "didSave false"])
  }

  @Test("an object without changes gets no calls for a save", arguments: StoreKind.allCases)
  func unchanged(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let (one, other) = (stack.witness("one"), stack.witness("other"))
    try stack.save()
    (one.events, other.events) = ([], [])
    one.count = 1
    try stack.context.save()
    #expect(one.events == ["willSave", "didSave false"])
    #expect(other.events.isEmpty)
  }

  @Test("a deleted object gets the calls of the save too", arguments: StoreKind.allCases)
  func deleted(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.save()
    witness.events = []
    stack.context.delete(witness)
    try stack.context.save()
    #expect(witness.events == ["prepareForDeletion false", "willSave", "didSave false"])
  }

  @Test("what willSave sets is saved, and has it called again", arguments: StoreKind.allCases)
  func changeInWillSave(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    witness.whenSaving = { if $0.count < 10 { $0.count += 1 } }
    witness.events = []
    try stack.save()
    #expect(witness.events == Array(repeating: "willSave", count: 4) + ["didSave false"])
    #expect(try stack.fetch(Witness.self, in: stack.newContext()).first?.count == 10)
  }

  @Test(
    "a primitive value that willSave sets is saved, and does not have it called again",
    arguments: StoreKind.allCases
  )
  func primitiveInWillSave(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    witness.whenSaving = { $0.setPrimitiveValue($0.count + 1, forKey: "count") }
    witness.events = []
    try stack.save()
    #expect(witness.events == ["willSave", "didSave false"])
    #expect(try stack.fetch(Witness.self, in: stack.newContext()).first?.count == 8)
  }

  @Test("an object changed by another's willSave is called and saved", arguments: StoreKind.allCases)
  func changeOfOther(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let (one, other) = (stack.witness("one"), stack.witness("other"))
    try stack.save()
    one.whenSaving = { _ in if other.count == 7 { other.count = 99 } }
    (one.events, other.events) = ([], [])
    one.name = "changed"
    try stack.save()
    #expect(other.events == ["willSave", "didSave false"])
    #expect(try stack.fetch(Witness.self, "count == 99", in: stack.newContext()).count == 1)
  }

  @Test("an object that willSave inserts is saved too", arguments: StoreKind.allCases)
  func insertInWillSave(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("one")
    witness.whenSaving = { witness in
      guard let context = witness.managedObjectContext, context.insertedObjects.count == 1 else { return }
      Witness(context: context).name = "two"
    }
    try stack.save()
    #expect(try stack.fetch(Witness.self, in: stack.newContext()).count == 2)
  }

  @Test(
    "willSave that changes its object again and again fails the save, and names it",
    arguments: StoreKind.allCases
  )
  func endless(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    witness.whenSaving = { $0.count += 1 }
    let error = #expect(throws: NSError.self) { try stack.context.save() }
    #expect(error?.code == NSCoreDataError)
    #expect(error?.localizedDescription.contains("willSave()") == true)
    #expect(error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [witness])
    #expect(witness.isInserted)
  }

  @Test("prepareForDeletion is called before the object is deleted", arguments: StoreKind.allCases)
  func prepareForDeletion(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.save()
    witness.events = []
    stack.context.delete(witness)
    #expect(witness.events == ["prepareForDeletion false"])
    stack.context.delete(witness)
    #expect(witness.events == ["prepareForDeletion false"])
  }

  @Test("an object is called before and after it turns into a fault", arguments: StoreKind.allCases)
  func turnIntoFault(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.save()
    witness.events = []
    stack.context.refresh(witness, mergeChanges: false)
    #expect(witness.events == ["willTurnIntoFault false w", "didTurnIntoFault true"])
  }

  @Test("refreshing a fault makes no calls", arguments: StoreKind.allCases)
  func refreshFault(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.save()
    stack.context.refresh(witness, mergeChanges: false)
    witness.events = []
    stack.context.refresh(witness, mergeChanges: false)
    #expect(witness.events.isEmpty)
  }

  @Test("rollback awakes the objects whose changes it drops", arguments: StoreKind.allCases)
  func rollback(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.save()
    witness.count = 1
    witness.events = []
    stack.context.rollback()
    #expect(witness.events == ["awake \(NSSnapshotEventType.rollback.rawValue)"])
    #expect(!witness.hasChanges)
  }

  @Test("a refresh that keeps changes awakes the object", arguments: StoreKind.allCases)
  func refresh(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.save()
    witness.count = 1
    witness.events = []
    stack.context.refresh(witness, mergeChanges: true)
    #expect(witness.events == ["awake \(NSSnapshotEventType.refresh.rawValue)"])
    #expect(witness.count == 1)
  }

  @Test("undo and redo awake the object, which keeps their values", arguments: StoreKind.allCases)
  func undo(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.save()
    stack.context.undoManager = UndoManager()
    witness.count = 1
    witness.events = []
    stack.context.undo()
    #expect(witness.events == ["awake \(NSSnapshotEventType.undoUpdate.rawValue)"])
    #expect(witness.label == "snapshot")
    #expect(witness.count == 7)
  }

  @Test("an undone insertion and an undone deletion differ", arguments: StoreKind.allCases)
  func undoInsertion(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let old = stack.witness("old")
    try stack.save()
    stack.context.undoManager = UndoManager()
    stack.context.delete(old)
    stack.context.undo()
    #expect(old.events.last == "awake \(NSSnapshotEventType.undoDeletion.rawValue)")
    let new = stack.witness("new")
    stack.context.undo()
    #expect(new.events.last == "awake \(NSSnapshotEventType.undoInsertion.rawValue)")
  }

  @Test("a merge policy that settles a conflict awakes the object", arguments: [StoreKind.inMemory, .sqlite])
  func mergePolicy(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.save()
    try stack.changeElsewhere(witness) { $0.name = "theirs" }
    witness.count = 1
    witness.events = []
    stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try stack.save()
    #expect(
      witness.events == ["willSave", "awake \(NSSnapshotEventType.mergePolicy.rawValue)", "didSave false"]
    )
  }
}
