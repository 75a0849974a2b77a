import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// An ordered relationship, its mutable ordered set, and a plain ordered set of the same objects.
struct OrderedComparison {
  private let stack: Stack
  private let note: Note
  private let pages: [Page]
  private let set: NSMutableOrderedSet
  private let plain = NSMutableOrderedSet()
  private let names = OrderedSetMembers.calls.keys.sorted()
  private var random: SplitMix

  init(seed: UInt64) throws {
    let stack = try Stack(.inMemory)
    self.stack = stack
    note = stack.note("note")
    pages = (0..<8).map { number in
      let page = Page(context: stack.context)
      page.number = Int16(number)
      return page
    }
    try stack.save()
    set = note.mutableOrderedSetValue(forKey: "pages")
    random = SplitMix(seed: seed)
  }

  /// Calls a member, or changes the relationship in another way.
  mutating func round() {
    if Int.random(in: 0..<10, using: &random) == 0 { return change() }
    if let name = names.randomElement(using: &random) { call(name) }
  }

  /// Calls a member of both sets, and compares its results and the contents afterwards.
  mutating func call(_ name: String) {
    guard let call = OrderedSetMembers.calls[name] else { return }
    let given = CollectionArguments(plain.array.compactMap { $0 as? Page }, of: pages, &random)
    let expected = (OrderedSetMembers.corrected[name] ?? call)(plain, given)
    let found = call(set, given)
    if found != expected { Issue.record("\(name) of \(labels(given.contents)): \(found), not \(expected)") }
    compare(after: "\(name) of \(labels(given.contents))")
  }

  /// Changes the relationship while the program holds the set.
  mutating func change() {
    let chosen = CollectionArguments(note.pages.array.compactMap { $0 as? Page }, of: pages, &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: note.pages = NSOrderedSet(array: chosen.mixed)
    case 1: chosen.one.note = note
    case 2: chosen.one.note = nil
    case 3:
      stack.context.rollback()
    case 4:
      do { try stack.save() } catch { Issue.record(error) }
      stack.context.refreshAllObjects()
    default: note.setValue(set, forKey: "pages")
    }
    plain.removeAllObjects()
    plain.addObjects(from: set.map { $0 })
    compare(after: "a change")
  }

  private func compare(after change: String) {
    let expected = labels(plain.array)
    // A member that cannot be overridden comes first, because it cannot bring the set up to date.
    let walked = labels(set.objectEnumerator().allObjects)
    let places = labels((0..<set.count).map { set.object(at: $0) })
    let stored = labels(note.pages.array)
    let owned = pages.filter { $0.note === note }.count
    if walked != expected || places != expected || stored != expected || owned != plain.count {
      Issue.record("\(change): walked \(walked), by place \(places), stored \(stored), expected \(expected)")
    }
  }
}

/// A relationship, its mutable set, and a plain set of the same objects.
struct SetComparison {
  private let stack: Stack
  private let note: Note
  private let tags: [Tag]
  private let set: NSMutableSet
  private let plain = NSMutableSet()
  private let names = SetMembers.calls.keys.sorted()
  private var random: SplitMix

  init(seed: UInt64) throws {
    let stack = try Stack(.inMemory)
    self.stack = stack
    note = stack.note("note")
    tags = ["a", "b", "c", "d", "e", "f", "g", "h"].map(stack.tag)
    try stack.save()
    set = note.mutableSetValue(forKey: "tags")
    random = SplitMix(seed: seed)
  }

  mutating func round() {
    if Int.random(in: 0..<10, using: &random) == 0 { return change() }
    if let name = names.randomElement(using: &random) { call(name) }
  }

  /// Calls a member of both sets, and compares its results and the contents afterwards.
  mutating func call(_ name: String) {
    guard let call = SetMembers.calls[name] else { return }
    let contents = tags.filter { plain.contains($0) }
    let given = CollectionArguments(contents, of: tags, &random)
    let (expected, found) = (call(plain, given), call(set, given))
    if found != expected { Issue.record("\(name) of \(labels(contents)): \(found), not \(expected)") }
    compare(after: "\(name) of \(labels(contents))")
  }

  /// Changes the relationship while the program holds the set.
  mutating func change() {
    let chosen = CollectionArguments(tags.filter(note.tags.contains), of: tags, &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: note.tags = Set(chosen.mixed)
    case 1: chosen.one.notes.insert(note)
    case 2: chosen.one.notes = []
    case 3: stack.context.rollback()
    case 4:
      do { try stack.save() } catch { Issue.record(error) }
      stack.context.refreshAllObjects()
    default: note.setValue(set, forKey: "tags")
    }
    plain.removeAllObjects()
    plain.addObjects(from: set.map { $0 })
    compare(after: "a change")
  }

  private func compare(after change: String) {
    let expected = sortedLabels(plain.allObjects)
    let (found, stored) = (sortedLabels(set.allObjects), sortedLabels(note.tags))
    let owned = tags.filter { $0.notes.contains(note) }.count
    if found != expected || stored != expected || owned != plain.count {
      Issue.record("\(change): found \(found), stored \(stored), expected \(expected)")
    }
  }
}

/// The dictionary that the handler of a batch insertion fills, and a plain one.
struct DictionaryComparison {
  private let dictionary: NSMutableDictionary
  private let plain = NSMutableDictionary()
  private let names = DictionaryMembers.calls.keys.sorted()
  private var random: SplitMix

  /// Compares dictionaries while a batch insertion requests one.
  static func run(seed: UInt64 = 1, _ compare: @escaping (inout Self) -> Void) throws {
    let stack = try Stack(.inMemory)
    let request = NSBatchInsertRequest(entityName: "Note") { (dictionary: NSMutableDictionary) in
      var comparison = Self(dictionary: dictionary, random: SplitMix(seed: seed))
      compare(&comparison)
      return true
    }
    _ = try stack.context.execute(request)
  }

  private init(dictionary: NSMutableDictionary, random: SplitMix) {
    self.dictionary = dictionary
    self.random = random
  }

  mutating func round() {
    if let name = names.randomElement(using: &random) { call(name) }
  }

  /// Sets new entries in both dictionaries.
  mutating func change() { call("setDictionary(_:)") }

  /// Calls a member of both dictionaries, and compares its results and the contents afterwards.
  mutating func call(_ name: String) {
    guard let call = DictionaryMembers.calls[name] else { return }
    let given = DictionaryMembers.Arguments(&random)
    let before = entries(plain)
    let (expected, found) = (call(plain, given), call(dictionary, given))
    if found != expected { Issue.record("\(name) of \(before): \(found), not \(expected)") }
    if entries(dictionary) != entries(plain) {
      Issue.record("\(name) of \(before): \(entries(dictionary)), not \(entries(plain))")
    }
  }
}
