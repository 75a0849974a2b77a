import Foundation

@testable import Seeding

/// What a store of notes, tags and categories should have after what was done to it, as plain values.
struct SeedLife {
  struct Note: Equatable {
    var contents: String?
    var category: String?
    var tags: Set<String> = []
  }

  /// An object, by entity and natural key.
  struct Key: Hashable {
    let entity: String
    let name: String
  }

  /// What a seed says of a note; a field that is nil is not there.
  struct Record {
    enum Tags: Equatable {
      case set(Set<String>)
      case change(added: Set<String>, removed: Set<String>)
    }

    let title: String
    var contents: String??
    var category: String??
    var tags: Tags?
  }

  /// A content of a seed. A list that is nil is not there.
  struct Content {
    var tags: [String]?
    var categories: [String]?
    var notes: [Record]?

    var keys: [Key] {
      (tags ?? []).map { Key(entity: "Tag", name: $0) }
        + (categories ?? []).map { Key(entity: "Category", name: $0) }
        + (notes ?? []).map { Key(entity: "Note", name: $0.title) }
    }

    /// The entities of which there is a list.
    var entities: Set<String> {
      Set(
        [tags.map { _ in "Tag" }, categories.map { _ in "Category" }, notes.map { _ in "Note" }].compactMap {
          $0
        }
      )
    }
  }

  /// What the store knows of a seed.
  private struct Entry {
    var text = ""
    /// What the seed has made, and brings.
    var made: Set<Key> = []
    /// What it has made, and does not bring any more.
    var left: Set<Key> = []
    var shared: Set<Key> = []
    /// What the seed said last, by property.
    var base: [Key: [String: String]] = [:]
  }

  private(set) var notes: [String: Note] = [:]
  private(set) var tags: Set<String> = []
  private(set) var categories: Set<String> = []
  private var ledger: [String: Entry] = [:]

  // MARK: - Users

  mutating func insert(_ key: Key) {
    switch key.entity {
    case "Tag": tags.insert(key.name)
    case "Category": categories.insert(key.name)
    default: notes[key.name] = Note()
    }
  }

  mutating func delete(_ key: Key) {
    switch key.entity {
    case "Tag":
      tags.remove(key.name)
      for title in notes.keys { notes[title]?.tags.remove(key.name) }
    case "Category":
      categories.remove(key.name)
      for title in notes.keys where notes[title]?.category == key.name { notes[title]?.category = nil }
    default: notes[key.name] = nil
    }
  }

  mutating func edit(_ title: String, _ body: (inout Note) -> Void) {
    if var note = notes[title] {
      body(&note)
      notes[title] = note
    }
  }

  mutating func renameTag(_ name: String, to other: String) {
    tags.remove(name)
    tags.insert(other)
    for title in notes.keys where notes[title]?.tags.remove(name) != nil { notes[title]?.tags.insert(other) }
  }

  func has(_ key: Key) -> Bool {
    switch key.entity {
    case "Tag": tags.contains(key.name)
    case "Category": categories.contains(key.name)
    default: notes[key.name] != nil
    }
  }

  // MARK: - Seeds

  /// - Parameter seeds: The seeds of the run, with their contents and texts.
  mutating func seed(_ seeds: [(name: String, content: Content, text: String)], _ seeder: Seeder) {
    let takesAll = seeder.policy == .always
    var taken = seeds.filter { takesAll || ledger[$0.name]?.text != $0.text }
    if taken.isEmpty { return }
    if seeder.mode == .replace { taken = seeds }
    let before = ledger
    func isMade(_ key: Key) -> Bool {
      before.values.contains { $0.made.contains(key) || $0.left.contains(key) }
    }
    var deletedKeys: Set<Key> = []
    if seeder.mode == .replace {
      deletedKeys = deleteAll(of: taken.map(\.content.entities).reduce(into: []) { $0.formUnion($1) }) { _ in
        false
      }
    }
    // What users have changed is what it was before the run writes anything.
    let edited = Set(keys.filter { isEdited($0, Array(before.values)) })
    var made: Set<Key> = []
    var left: Set<Key> = []
    for seed in taken {
      for key in seed.content.keys {
        let isThere = has(key)
        // What the run itself has deleted to make it anew is no user's deletion.
        let staysDeleted = !seeder.restoresDeletedObjects && isMade(key) && !deletedKeys.contains(key)
        if isThere ? seeder.mode == .createOnly : staysDeleted {
          left.insert(key)
        } else if !isThere {
          insert(key)
          made.insert(key)
        }
      }
    }
    for seed in taken {
      for record in seed.content.notes ?? [] {
        let key = Key(entity: "Note", name: record.title)
        guard !left.contains(key) else { continue }
        let others = before.filter { $0.key != seed.name }.map(\.value)
        write(record, isNew: made.contains(key), before[seed.name], others, seeder)
      }
    }
    let brought = Set(taken.flatMap(\.content.keys))
    var pruned = deletedKeys
    switch seeder.effectivePruning {
    case .none: break
    case .all:
      let all = Set(seeds.flatMap(\.content.keys))
      pruned = deleteAll(of: Set(seeds.flatMap(\.content.entities))) { all.contains($0) }
    case .own:
      let others = before.filter { name, _ in !taken.contains { $0.name == name } }.values
      let known = taken.compactMap { before[$0.name] }.flatMap { $0.made.union($0.left).union($0.shared) }
      pruned = Set(known).filter { key in
        !brought.contains(key) && isMade(key)
          && !others.contains { $0.made.contains(key) || $0.shared.contains(key) }
      }
      // The ledger forgets what stays because a user has changed it.
      let isKept = seeder.mode == .merge && seeder.conflictPolicy == .keepStore
      for key in pruned where !isKept || !edited.contains(key) { delete(key) }
    }
    for name in ledger.keys {
      ledger[name]?.made.subtract(pruned)
      ledger[name]?.left.subtract(pruned)
    }
    for seed in taken {
      let keys = Set(seed.content.keys)
      var entry = ledger[seed.name] ?? Entry()
      entry.text = seed.text
      let all = entry.made.union(entry.left)
      entry.made = all.union(made).intersection(keys)
      entry.left = all.subtracting(keys)
      entry.shared = keys.subtracting(entry.made)
      for key in keys.subtracting(left) { entry.base[key, default: [:]]["name"] = key.name }
      for record in seed.content.notes ?? [] {
        let key = Key(entity: "Note", name: record.title)
        guard !left.contains(key) else { continue }
        for (property, value) in Self.said(record) { entry.base[key, default: [:]][property] = value }
      }
      entry.base = entry.base.filter { all.contains($0.key) || keys.contains($0.key) }
      ledger[seed.name] = entry
    }
  }

  /// All of it is in a new store now, where one seed has brought it.
  /// - Parameter tagsHaveNotes: True when the seed says of tags which notes they have, and not of notes which tags.
  mutating func moveToNewStore(bySeed name: String, tagsHaveNotes: Bool) {
    var entry = Entry(made: Set(keys))
    for key in keys { entry.base[key] = ["name": key.name] }
    for (title, note) in notes {
      let key = Key(entity: "Note", name: title)
      entry.base[key]?["contents"] = note.contents
      entry.base[key]?["category"] = note.category
      if !tagsHaveNotes, !note.tags.isEmpty { entry.base[key]?["tags"] = Self.list(note.tags) }
    }
    for tag in tags where tagsHaveNotes && !titles(of: tag).isEmpty {
      entry.base[Key(entity: "Tag", name: tag)]?["notes"] = Self.list(titles(of: tag))
    }
    ledger = [name: entry]
  }

  /// All objects.
  private var keys: [Key] {
    tags.map { Key(entity: "Tag", name: $0) } + categories.map { Key(entity: "Category", name: $0) }
      + notes.keys.map { Key(entity: "Note", name: $0) }
  }

  private func titles(of tag: String) -> Set<String> {
    Set(notes.filter { $0.value.tags.contains(tag) }.keys)
  }

  private static func list(_ names: Set<String>) -> String { names.sorted().joined(separator: ",") }

  /// Whether an object has a value that no seed has said, or one where no seed has said any.
  private func isEdited(_ key: Key, _ entries: [Entry]) -> Bool {
    func said(_ property: String) -> [String] { entries.compactMap { $0.base[key]?[property] } }
    func isOther(_ property: String, _ present: String) -> Bool {
      !said(property).isEmpty && !said(property).contains(present)
    }
    if said("name").isEmpty { return true }
    if key.entity == "Tag" { return isOther("notes", Self.list(titles(of: key.name))) }
    guard let note = notes[key.name], key.entity == "Note" else { return false }
    if said("contents").isEmpty, note.contents != nil { return true }
    return isOther("contents", note.contents ?? "-") || isOther("category", note.category ?? "-")
      || isOther("tags", Self.list(note.tags))
  }

  private mutating func deleteAll(of entities: Set<String>, unless isKept: (Key) -> Bool) -> Set<Key> {
    let gone = Set(keys.filter { entities.contains($0.entity) && !isKept($0) })
    for key in gone { delete(key) }
    return gone
  }

  private static func said(_ record: Record) -> [String: String] {
    var said: [String: String] = [:]
    if let contents = record.contents { said["contents"] = contents ?? "-" }
    if let category = record.category { said["category"] = category ?? "-" }
    switch record.tags {
    case .set(let tags)?: said["tags"] = list(tags)
    case .change(let added, let removed)?: said["tags+"] = "\(list(added))|\(list(removed))"
    case nil: break
    }
    return said
  }

  private mutating func write(
    _ record: Record,
    isNew: Bool,
    _ entry: Entry?,
    _ others: [Entry],
    _ seeder: Seeder
  ) {
    guard var note = notes[record.title] else { return }
    let key = Key(entity: "Note", name: record.title)
    let said = Self.said(record)
    /// What seeds have said before: the record's own, and others where that has said nothing.
    func known(_ property: String) -> [String] {
      if let own = entry?.base[key]?[property] { return [own] }
      return others.compactMap { $0.base[key]?[property] }
    }
    /// Whether what the seed says is taken, which is another than what the note has.
    func takes(_ property: String, present: String, isUntouched: Bool) -> Bool {
      if isNew || seeder.mode != .merge { return true }
      let before = known(property)
      if before.isEmpty, isUntouched { return true }
      if let now = said[property], before.contains(now) { return false }
      if before.contains(present) { return true }
      return seeder.conflictPolicy == .takeSeed
    }
    if let contents = record.contents, contents != note.contents,
      takes("contents", present: note.contents ?? "-", isUntouched: note.contents == nil)
    {
      note.contents = contents
    }
    if let category = record.category {
      // What a user has deleted, and is to stay so, is not referred to.
      let known = category.flatMap { categories.contains($0) ? $0 : nil }
      let isUntouched = note.category == nil
      if known != note.category, takes("category", present: note.category ?? "-", isUntouched: isUntouched) {
        note.category = known
      }
    }
    switch record.tags {
    case .set(let all)?:
      let known = all.intersection(tags)
      if known != note.tags, takes("tags", present: Self.list(note.tags), isUntouched: note.tags.isEmpty) {
        note.tags = known
      }
    case .change(let added, let removed)?:
      // A change that is merged is made once.
      if !isNew, seeder.mode == .merge, known("tags+").contains(said["tags+"] ?? "") { break }
      note.tags = note.tags.union(added.intersection(tags)).subtracting(removed)
    case nil: break
    }
    notes[record.title] = note
  }

  /// A line for each object.
  var lines: [String] {
    notes.map { title, note in
      [title, note.contents ?? "-", note.category ?? "-", note.tags.sorted().joined(separator: ",")].joined(
        separator: "|"
      )
    }.sorted() + tags.sorted() + categories.sorted()
  }
}

extension SeedLife.Content {
  /// The content as a seed.
  /// - Parameter tagList: The word for the entity of tags, which has another name in some versions of the model.
  func text(tagList: String) -> String {
    var lists: [String] = []
    if let tags {
      lists.append("\"\(tagList)\": [\(tags.map { "{\"name\": \"\($0)\"}" }.joined(separator: ", "))]")
    }
    if let categories {
      lists.append("\"categories\": [\(categories.map { "{\"name\": \"\($0)\"}" }.joined(separator: ", "))]")
    }
    if let notes { lists.append("\"notes\": [\(notes.map(\.text).joined(separator: ", "))]") }
    return "{\(lists.joined(separator: ",\n"))}"
  }
}

extension SeedLife.Record {
  fileprivate var text: String {
    var fields = ["\"title\": \"\(title)\""]
    if let contents { fields.append("\"contents\": \(contents.map { "\"\($0)\"" } ?? "null")") }
    if let category { fields.append("\"category\": \(category.map { "\"\($0)\"" } ?? "null")") }
    func list(_ tags: Set<String>) -> String {
      "[\(tags.sorted().map { "\"\($0)\"" }.joined(separator: ", "))]"
    }
    switch tags {
    case .set(let all)?: fields.append("\"tags\": \(list(all))")
    case .change(let added, let removed)?:
      fields.append("\"tags\": {\"$add\": \(list(added)), \"$remove\": \(list(removed))}")
    case nil: break
    }
    return "{\(fields.joined(separator: ", "))}"
  }
}
