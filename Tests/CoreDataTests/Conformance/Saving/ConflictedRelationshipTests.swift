import CoreData
import Foundation
import TestModels
import TestSupport
import Testing

@testable import CoreData

#if PostgreSQL
  @testable import CoreDataPostgreSQL
#endif

@Suite("Relationships of objects in conflict")
struct ConflictedRelationshipTests {
  /// The stores that detect conflicts, one of each kind.
  static let stores = StoreKind.allCases.filter { [.inMemory, .sqlite, .xml, .postgreSQL].contains($0) }

  private static let policies: [NSMergePolicy] = [
    .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
  ]

  // MARK: - All combinations

  @Test(
    "relationships are consistent on both sides, whatever two contexts did before they saved",
    arguments: stores,
    LinkShape.all
  )
  func combinations(_ kind: StoreKind, _ shape: LinkShape) throws {
    let stack = try Stack(kind, model: shape.model())
    var generator = SplitMix(seed: 7)
    let combinations: [(NSMergePolicy, LinkChange, LinkChange)] = Self.policies.flatMap { policy in
      LinkChange.allCases.flatMap { first in LinkChange.allCases.map { (policy, first, $0) } }
    }
    // With a factor of 4 or more, all combinations are tested.
    let chosen = combinations.shuffled(using: &generator).prefix(Soak.rounds(combinations.count / 4))
    for (round, (policy, first, second)) in chosen.enumerated() {
      let graphs = try FolderGraph.pair(stack.coordinator, shape, round: round, policy)
      // A save that throws has not committed its change.
      for (graph, change) in zip(graphs, [first, second]) { try? graph.commit(change) }
      let wrong = try FolderGraph.problems(stack.coordinator, shape, round: round)
      #expect(wrong == [], "\(first) then \(second) by \(policy.mergeType)")
    }
    #expect(try Self.findings(stack) == [])
  }

  /// The findings of the check, for a store in SQL.
  private static func findings(_ stack: Stack) throws -> [String] {
    let store = try #require(stack.coordinator.persistentStores.first)
    let (url, model) = (store.url, stack.coordinator.managedObjectModel)
    guard let url, StoreKind.inSQL.contains(stack.kind) else { return [] }
    if stack.kind == .sqlite {
      try stack.coordinator.remove(store)
      return try SQLiteStoreCheck(store: url, model: model).findings().map(\.problem)
    }
    #if PostgreSQL
      return try PostgreSQLStoreCheck(store: url, model: model).findings().map(\.problem)
    #else
      return []
    #endif
  }

  // MARK: - Outcomes

  /// Two contexts that have read a folder with a note.
  private func pair(
    _ kind: StoreKind,
    _ rule: NSDeleteRule,
    isRequired: Bool = false,
    _ policy: NSMergePolicy
  ) throws -> (Stack, x: FolderGraph, y: FolderGraph) {
    let shape = LinkShape(
      rule,
      hasManyNotes: true,
      hasManyFolders: false,
      isOrdered: false,
      isRequired: isRequired
    )
    let stack = try Stack(kind, model: shape.model())
    let graphs = try FolderGraph.pair(stack.coordinator, shape, round: 0, policy)
    return (stack, graphs[0], graphs[1])
  }

  private func count(_ entity: String, _ stack: Stack) throws -> Int {
    try stack.newContext().count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  @Test(
    "a note that was put into a folder meanwhile is deleted with the folder",
    arguments: stores,
    [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite, .mergeByPropertyStoreTrump]
  )
  func cascade(_ kind: StoreKind, _ policy: NSMergePolicy) throws {
    let (stack, x, y) = try pair(kind, .cascadeDeleteRule, isRequired: true, policy)
    try x.commit(.linkNew)
    try y.commit(.deleteFolder)
    #expect(try count("Folder", stack) == 1)
    #expect(try count("Note", stack) == 1)
  }

  @Test("a note that was put into a folder meanwhile is left without one", arguments: stores)
  func nullify(_ kind: StoreKind) throws {
    let (stack, x, y) = try pair(kind, .nullifyDeleteRule, .mergeByPropertyObjectTrump)
    try x.commit(.linkNew)
    try y.commit(.deleteFolder)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.predicate = NSPredicate(format: "folders == nil")
    #expect(try stack.newContext().count(for: request) == 3)
    #expect(try count("Note", stack) == 4)
  }

  @Test("a note that was put into a folder meanwhile keeps the folder from being deleted", arguments: stores)
  func deny(_ kind: StoreKind) throws {
    let (stack, x, y) = try pair(kind, .denyDeleteRule, .mergeByPropertyObjectTrump)
    try y.unlinkAll()
    try x.commit(.linkNew)
    let error = #expect(throws: NSError.self) { try y.commit(.deleteFolder) }
    #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
    #expect(try count("Folder", stack) == 2)
  }

  @Test("a note that has to have a folder keeps it from being deleted", arguments: stores)
  func required(_ kind: StoreKind) throws {
    let (stack, x, y) = try pair(kind, .nullifyDeleteRule, isRequired: true, .mergeByPropertyObjectTrump)
    try y.moveAll()
    try x.commit(.linkNew)
    let error = #expect(throws: NSError.self) { try y.commit(.deleteFolder) }
    #expect(error?.code == NSValidationMissingMandatoryPropertyError)
    #expect(try count("Folder", stack) == 2)
  }

  @Test(
    "a note is saved without the folder that others have deleted",
    arguments: stores,
    [NSMergePolicy.mergeByPropertyStoreTrump, .rollback]
  )
  func deletedFirst(_ kind: StoreKind, _ policy: NSMergePolicy) throws {
    let (stack, x, y) = try pair(kind, .nullifyDeleteRule, policy)
    try x.commit(.deleteFolder)
    try y.commit(.linkNew)
    #expect(try count("Note", stack) == 4)
    #expect(try count("Folder", stack) == 1)
  }

  @Test(
    "a note that requires a folder is not saved if others have deleted the folder",
    arguments: stores,
    [NSMergePolicy.mergeByPropertyStoreTrump, .rollback]
  )
  func requiredDeletedFirst(_ kind: StoreKind, _ policy: NSMergePolicy) throws {
    let (stack, x, y) = try pair(kind, .cascadeDeleteRule, isRequired: true, policy)
    try x.commit(.deleteFolder)
    let error = #expect(throws: NSError.self) { try y.commit(.linkNew) }
    #expect(error?.code == NSValidationMissingMandatoryPropertyError)
    #expect(try count("Note", stack) == 1)
  }

  @Test(
    "a note that a sibling has put into a folder and saved is deleted with the folder",
    arguments: StoreKind.allCases.filter(\.isChild)
  )
  func siblings(_ kind: StoreKind) throws {
    let shape = LinkShape(
      .cascadeDeleteRule,
      hasManyNotes: true,
      hasManyFolders: false,
      isOrdered: false,
      isRequired: true
    )
    let stack = try Stack(kind, model: shape.model())
    let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: stack.context)
    try stack.save()
    let sibling = stack.sibling()
    let same = try sibling.existingObject(with: folder.objectID)
    #expect((same.value(forKey: "notes") as? NSSet)?.count == 0)
    let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: stack.context)
    note.setValue(folder, forKey: "folders")
    try stack.save()
    sibling.delete(same)
    try sibling.save()
    try sibling.parent?.save()
    #expect(try count("Folder", stack) == 0)
    #expect(try count("Note", stack) == 0)
  }

  @Test(
    "a folder that a note was not in, in the store, is not changed by a conflict about the note",
    arguments: stores,
    [true, false]
  )
  func uninvolved(_ kind: StoreKind, _ movesToo: Bool) throws {
    let stack = try Stack(kind, model: FolderModel.make(.toMany, .nullifyDeleteRule))
    let folders = ["former", "other", "third"].map { stack.make("Folder", $0) }
    let sheet = stack.make("Sheet", "sheet")
    sheet.setValue(folders[0], forKey: "folder")
    try stack.save()
    let own = stack.newContext()
    own.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    let moved = try own.existingObject(with: sheet.objectID)
    #expect(moved.namesIn("folder") == ["former"])
    if movesToo { moved.setValue(try own.existingObject(with: folders[1].objectID), forKey: "folder") }
    moved.setValue("renamed", forKey: "name")
    sheet.setValue(folders[2], forKey: "folder")
    try stack.save()
    // This context has the folders as the first save left them. A later version of a folder causes a conflict.
    let witness = stack.newContext()
    witness.mergePolicy = NSMergePolicy.error
    // The other context's own move has also changed the previous folder.
    let seen = try (movesToo ? folders[1...] : folders[...]).map {
      try witness.existingObject(with: $0.objectID)
    }
    for folder in seen { #expect(folder.value(forKey: "name") != nil) }
    try own.save()
    for folder in seen { folder.setValue("seen", forKey: "name") }
    try witness.save()
    let saved = try stack.saved("Sheet", "renamed")
    #expect(saved?.namesIn("folder") == ["seen"])
    let full = try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder"))
    #expect(full.map { $0.namesIn("sheets").count }.sorted() == [0, 0, 1])
  }

  @Test("an order keeps what others inserted meanwhile, after the context's own", arguments: stores)
  func order(_ kind: StoreKind) throws {
    let shape = LinkShape(
      .nullifyDeleteRule,
      hasManyNotes: true,
      hasManyFolders: false,
      isOrdered: true,
      isRequired: false
    )
    let stack = try Stack(kind, model: shape.model())
    let graphs = try FolderGraph.pair(stack.coordinator, shape, round: 0, .mergeByPropertyObjectTrump)
    try graphs[0].commit(.linkNew)
    try graphs[1].commit(.reorder)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Folder")
    request.predicate = NSPredicate(format: "name == 'f'")
    let folder = try #require(try stack.context.fetch(request).first)
    #expect(folder.namesIn("notes") == ["b", "a", "new"])
    #expect(graphs[1].folder.namesIn("notes") == ["b", "a", "new"])
  }
}

/// A change that one context makes to the relationship of a folder and its notes.
enum LinkChange: String, CaseIterable, Sendable {
  case rename, linkNew, linkTaken, unlink, move, reorder, deleteFolder, deleteNote, batchDeleteFolder,
    batchDeleteNote
}

/// A relationship between folders and notes, with its inverse.
struct LinkShape: Sendable, CustomTestStringConvertible {
  let rule: NSDeleteRule
  let hasManyNotes: Bool
  let hasManyFolders: Bool
  let isOrdered: Bool
  let isRequired: Bool

  init(_ rule: NSDeleteRule, hasManyNotes: Bool, hasManyFolders: Bool, isOrdered: Bool, isRequired: Bool) {
    self.rule = rule
    self.hasManyNotes = hasManyNotes
    self.hasManyFolders = hasManyFolders
    self.isOrdered = isOrdered
    self.isRequired = isRequired
  }

  /// The rule No Action is left out, because Apple's documentation requires the program to keep such
  /// relationships consistent.
  static let all: [LinkShape] = {
    var shapes: [LinkShape] = []
    for rule in [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule] {
      for bits in 0..<16 {
        let shape = LinkShape(
          rule,
          hasManyNotes: bits & 1 != 0,
          hasManyFolders: bits & 2 != 0,
          isOrdered: bits & 4 != 0,
          isRequired: bits & 8 != 0
        )
        if shape.isOrdered, !shape.hasManyNotes { continue }
        shapes.append(shape)
      }
    }
    return shapes
  }()

  var testDescription: String {
    let sides = "\(hasManyFolders ? "many" : "one") to \(hasManyNotes ? "many" : "one")"
    return "\(sides), rule \(rule.rawValue)\(isOrdered ? ", ordered" : "")\(isRequired ? ", required" : "")"
  }

  func model() -> NSManagedObjectModel {
    let (folder, note) = (Self.entity("Folder"), Self.entity("Note"))
    relate(
      folder,
      "notes",
      isToMany: hasManyNotes,
      isOrdered: isOrdered,
      note,
      "folders",
      isToMany: hasManyFolders
    )
    folder.relationshipsByName["notes"]?.deleteRule = rule
    let folders = note.relationshipsByName["folders"]
    folders?.isOrdered = isOrdered && hasManyFolders
    folders?.isOptional = !isRequired
    folders?.minCount = isRequired ? 1 : 0
    return makeModel([folder, note])
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    makeEntity(name, makeAttribute("name"), makeAttribute("round", .integer64AttributeType))
  }
}

/// Two folders and their notes in one context, which has read all their values.
struct FolderGraph {
  private static let entities = ["Folder", "Note"]

  let context: NSManagedObjectContext
  let folder: NSManagedObject
  private let other: NSManagedObject
  private let notes: [NSManagedObject]
  private let taken: NSManagedObject
  private let shape: LinkShape
  private let round: Int

  /// Creates the same new objects, and returns them in two contexts.
  static func pair(
    _ coordinator: NSPersistentStoreCoordinator,
    _ shape: LinkShape,
    round: Int,
    _ policy: NSMergePolicy
  ) throws -> [FolderGraph] {
    let context = newContext(coordinator)
    func insert(_ entity: String, _ name: String) -> NSManagedObject {
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      object.setValue(name, forKey: "name")
      object.setValue(round, forKey: "round")
      return object
    }
    let notes = (shape.hasManyNotes ? ["a", "b"] : ["a"]).map { insert("Note", $0) }
    let graph = FolderGraph(
      context: context,
      folder: insert("Folder", "f"),
      other: insert("Folder", "g"),
      notes: notes,
      taken: insert("Note", "c"),
      shape: shape,
      round: round
    )
    for note in notes { graph.link(note, graph.folder) }
    graph.link(graph.taken, graph.other)
    try context.save()
    return (0..<2).map { _ in graph.read(in: newContext(coordinator), policy) }
  }

  private static func newContext(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func read(in context: NSManagedObjectContext, _ policy: NSMergePolicy) -> FolderGraph {
    context.mergePolicy = policy
    func same(_ object: NSManagedObject) -> NSManagedObject {
      let same = context.object(with: object.objectID)
      for key in ["name", same.entity.name == "Folder" ? "notes" : "folders"] { _ = same.value(forKey: key) }
      return same
    }
    return FolderGraph(
      context: context,
      folder: same(folder),
      other: same(other),
      notes: notes.map(same),
      taken: same(taken),
      shape: shape,
      round: round
    )
  }

  // MARK: - Changes

  func commit(_ change: LinkChange) throws {
    try apply(change)
    try context.save()
  }

  /// Removes all notes from the folder, and saves.
  func unlinkAll() throws {
    for note in notes { unlink(note, folder) }
    try context.save()
  }

  /// Moves all notes of the folder into the other folder, and saves.
  func moveAll() throws {
    for note in notes { link(note, other) }
    try context.save()
  }

  private func apply(_ change: LinkChange) throws {
    switch change {
    case .rename:
      for object in [folder, notes[0]] { object.setValue("renamed", forKey: "name") }
    case .linkNew:
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue("new", forKey: "name")
      note.setValue(round, forKey: "round")
      link(note, folder)
    case .linkTaken: link(taken, folder)
    case .unlink: unlink(notes[0], folder)
    case .move:
      unlink(notes[0], folder)
      link(notes[0], other)
    case .reorder:
      guard shape.isOrdered else { return folder.setValue("renamed", forKey: "name") }
      let set = folder.mutableOrderedSetValue(forKey: "notes")
      if set.count > 1 { set.exchangeObject(at: 0, withObjectAt: set.count - 1) }
    case .deleteFolder: context.delete(folder)
    case .deleteNote: context.delete(notes[0])
    case .batchDeleteFolder: try context.execute(NSBatchDeleteRequest(objectIDs: [folder.objectID]))
    case .batchDeleteNote: try context.execute(NSBatchDeleteRequest(objectIDs: [notes[0].objectID]))
    }
  }

  private func link(_ note: NSManagedObject, _ folder: NSManagedObject) {
    if !shape.hasManyNotes {
      folder.setValue(note, forKey: "notes")
    } else if shape.isOrdered {
      folder.mutableOrderedSetValue(forKey: "notes").add(note)
    } else {
      folder.mutableSetValue(forKey: "notes").add(note)
    }
  }

  private func unlink(_ note: NSManagedObject, _ folder: NSManagedObject) {
    if !shape.hasManyNotes {
      folder.setValue(nil, forKey: "notes")
    } else if shape.isOrdered {
      folder.mutableOrderedSetValue(forKey: "notes").remove(note)
    } else {
      folder.mutableSetValue(forKey: "notes").remove(note)
    }
  }

  // MARK: - Stored state

  /// The faults in the relationships of a round's objects, as a fresh context reads them.
  static func problems(
    _ coordinator: NSPersistentStoreCoordinator,
    _ shape: LinkShape,
    round: Int
  ) throws -> [String] {
    let context = newContext(coordinator)
    var objects: [[NSManagedObject]] = []
    for entity in entities {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "round == %lld", Int64(round))
      objects.append(try context.fetch(request))
    }
    let present = Set(objects.joined())
    var problems: [String] = []
    func look(at object: NSManagedObject, _ key: String, back: String) {
      let destinations = Self.destinations(of: object, key)
      let name = object.value(forKey: "name") as? String ?? ""
      if Set(destinations).count != destinations.count { problems.append("\(key) of \(name) has one twice") }
      for destination in destinations {
        if !present.contains(destination) {
          problems.append("\(key) of \(name) leads to an object that is gone")
        } else if !Self.destinations(of: destination, back).contains(object) {
          problems.append("\(key) of \(name) is not led back")
        }
      }
      // A batch deletion only checks required to-one relationships.
      if key == "folders", shape.isRequired, !shape.hasManyFolders, destinations.isEmpty {
        problems.append("\(name) has no folder")
      }
    }
    for folder in objects[0] { look(at: folder, "notes", back: "folders") }
    for note in objects[1] { look(at: note, "folders", back: "notes") }
    return problems
  }

  private static func destinations(of object: NSManagedObject, _ key: String) -> [NSManagedObject] {
    switch object.value(forKey: key) {
    case let set as NSSet: set.compactMap { $0 as? NSManagedObject }
    case let set as NSOrderedSet: set.compactMap { $0 as? NSManagedObject }
    case let object as NSManagedObject: [object]
    default: []
    }
  }
}
