import CoreData
import Foundation
import TestSupport
import Testing

/// Objects that are changed at random in groups, with a copy of their state after each group.
private final class History {
  private let stack: Stack
  private let manager = UndoManager()
  private var random: SplitMix
  /// All objects that were ever created. Their indices never change.
  private var objects: [NSManagedObject] = []
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var states: [String] = []
  private var current = 0
  private var log: [String] = []

  init(_ kind: StoreKind, seed: UInt64) throws {
    stack = try Stack(kind)
    random = SplitMix(seed: seed)
    for number in 0..<3 {
      add(stack.note("note \(number)"))
      add(stack.tag("tag \(number)"))
      add(stack.category("category \(number)"))
      add(Page(context: stack.context))
    }
    try stack.save()
    // The changes must also cover relationships that were never read.
    if Bool.random(using: &random) { stack.context.refreshAllObjects() }
    manager.groupsByEvent = false
    stack.context.undoManager = manager
    states = [state]
  }

  func run(_ count: Int) {
    for _ in 0..<count {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: change()
      case 5..<7: undo()
      case 7..<9: redo()
      default: save()
      }
      compare()
    }
    while current > 0 {
      undo()
      compare()
    }
    while current < states.count - 1 {
      redo()
      compare()
    }
  }

  private func compare() { #expect(state == states[current], "\(log.joined(separator: "; "))") }

  private func undo() {
    #expect(manager.canUndo == (current > 0))
    guard current > 0 else { return }
    log.append("undo")
    stack.context.undo()
    current -= 1
  }

  private func redo() {
    #expect(manager.canRedo == (current < states.count - 1))
    guard current < states.count - 1 else { return }
    log.append("redo")
    stack.context.redo()
    current += 1
  }

  /// Saves the changes. A deny rule may refuse the save; undo works either way.
  private func save() {
    log.append("save")
    guard (try? stack.save()) != nil, Bool.random(using: &random) else { return }
    log.append("refresh")
    stack.context.refreshAllObjects()
  }

  private func change() {
    manager.beginUndoGrouping()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      changeOnce()
      if Bool.random(using: &random) { stack.context.processPendingChanges() }
    }
    stack.context.processPendingChanges()
    manager.endUndoGrouping()
    // An empty group does not discard the redo stack.
    if !manager.canRedo { states.removeSubrange((current + 1)...) }
    current += 1
    states.insert(state, at: current)
  }

  private func changeOnce() {
    guard let note: Note = any() else {
      log.append("new note")
      return add(stack.note("new"))
    }
    let title = "\(Int.random(in: 0..<50, using: &random))"
    let (category, tag, page): (Category?, Tag?, Page?) = (any(), any(), any())
    log.append("\(number(note)) ")
    func say(_ words: String) { log[log.count - 1] += words }
    switch Int.random(in: 0..<15, using: &random) {
    case 0:
      say("title \(title)")
      note.title = title
    case 1:
      say("category \(number(category))")
      note.category = category
    case 2...3:
      say("+ tag \(number(tag))")
      if let tag { note.mutableSetValue(forKey: "tags").add(tag) }
    case 4...5:
      say("- tag \(number(tag))")
      if let tag { note.mutableSetValue(forKey: "tags").remove(tag) }
    case 6:
      say("no tags")
      note.tags = []
    case 7:
      say("+ to category \(number(category))")
      category?.mutableSetValue(forKey: "notes").add(note)
    case 8:
      say("- from category \(number(category))")
      category?.mutableSetValue(forKey: "notes").remove(note)
    case 9:
      say("+ page \(number(page))")
      if let page { note.mutableOrderedSetValue(forKey: "pages").add(page) }
    case 10:
      say("- page \(number(page))")
      if let page { note.mutableOrderedSetValue(forKey: "pages").remove(page) }
    case 11:
      say("pages turned")
      note.pages = NSOrderedSet(array: note.pages.array.reversed())
    case 12:
      say("new tag")
      let tag = stack.tag(title)
      add(tag)
      tag.notes = [note]
    case 13:
      let doomed: [NSManagedObject?] = [note, tag, page, category]
      let one = doomed[Int.random(in: 0..<4, using: &random)]
      say("delete \(number(one))")
      one.map(stack.context.delete)
    default:
      say("new note")
      add(stack.note("new \(title)", tags: tag.map { [$0] } ?? []))
    }
  }

  // MARK: - Objects

  private func add(_ object: NSManagedObject) {
    numbers[ObjectIdentifier(object)] = objects.count
    objects.append(object)
  }

  private func number(_ object: NSManagedObject?) -> String {
    object.flatMap { numbers[ObjectIdentifier($0)] }.map(String.init) ?? "none"
  }

  private func isThere(_ object: NSManagedObject) -> Bool {
    object.managedObjectContext != nil && !object.isDeleted
  }

  private func any<Object: NSManagedObject>() -> Object? {
    objects.lazy.compactMap { $0 as? Object }.filter(isThere).randomElement(using: &random)
  }

  private var state: String {
    objects.filter(isThere).map { object in
      let properties = object.entity.propertiesByName.keys.sorted().map { name -> String in
        switch object.value(forKey: name) {
        case let other as NSManagedObject: "\(name) \(number(other))"
        case let set as Set<NSManagedObject>: "\(name) \(set.map(number).sorted())"
        case let set as NSOrderedSet: "\(name) \(set.array.map { number($0 as? NSManagedObject) })"
        case let value?: "\(name) \(value)"
        case nil: ""
        }
      }
      return "\(number(object)): \(properties.filter { !$0.isEmpty }.joined(separator: ", "))"
    }
    .joined(separator: "\n")
  }
}

@Suite("Random changes that are undone and redone")
struct RandomUndoTests {
  @Test("random changes are undone and redone state by state", arguments: StoreKind.storesAndChildren)
  func histories(_ kind: StoreKind) throws {
    for seed in 1...UInt64(Soak.rounds(32)) { try History(kind, seed: seed).run(40) }
  }
}
