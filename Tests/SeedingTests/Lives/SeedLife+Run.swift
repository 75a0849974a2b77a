@testable import Seeding

extension SeedLife {
  /// The state of a run before it writes the records' values.
  private struct Run {
    let mode: SeedMode
    let conflictPolicy: SeedConflictPolicy
    /// The ledger before the run.
    let before: [String: Entry]
    /// The objects that the run has created.
    var made: Set<Key> = []
    /// The objects that the run leaves unchanged, or does not create again.
    var left: Set<Key> = []

    /// Returns true if a seed has created an object.
    func isMade(_ key: Key) -> Bool {
      before.values.contains { $0.made.contains(key) || $0.left.contains(key) }
    }

    /// The values that seeds have recorded: those of the record's own seed, or of the others if it has none.
    private func known(_ property: String, of key: Key, in seed: String) -> [String] {
      if let own = before[seed]?.base[key]?[property] { return [own] }
      return before.filter { $0.key != seed }.compactMap { $0.value.base[key]?[property] }
    }

    /// Returns true if an object's value of a property is replaced with the seed's current value.
    func takes(
      _ property: String,
      of key: Key,
      in seed: String,
      now: String,
      present: String,
      isUntouched: Bool
    ) -> Bool {
      if mode != .merge || made.contains(key) { return true }
      let known = known(property, of: key, in: seed)
      if known.isEmpty, isUntouched { return true }
      if known.contains(now) { return false }
      return known.contains(present) || conflictPolicy == .takeSeed
    }

    /// Returns true if a change of a relationship is applied: in a merge it is applied once.
    func makes(_ change: String, of property: String, _ key: Key, in seed: String) -> Bool {
      mode != .merge || made.contains(key) || !known(property, of: key, in: seed).contains(change)
    }
  }

  /// - Parameter seeds: The seeds of the run.
  mutating func seed(_ seeds: [Seed], _ seeder: Seeder) {
    let takesAll = seeder.policy == .always
    var taken = seeds.filter { takesAll || ledger[$0.name]?.text != $0.text }
    if taken.isEmpty { return }
    if seeder.mode == .replace { taken = seeds }
    var run = Run(mode: seeder.mode, conflictPolicy: seeder.conflictPolicy, before: ledger)
    var deleted: Set<Key> = []
    if seeder.mode == .replace {
      let entities = taken.map(\.content.entities).reduce(into: Set<String>()) { $0.formUnion($1) }
      deleted = deleteAll(of: entities) { _ in false }
    }
    // A user's changes are determined before the run writes anything.
    let edited = Set(keys.filter { isEdited($0, Array(run.before.values)) })
    makeObjects(taken, seeder, deleted, &run)
    var said: [Key: [String: String]] = [:]
    let stepsOfRecords = writeNotes(seeds, taken, run, &said)
    writeLinks(taken, run, &said)
    let pruned = prune(seeds, taken, seeder, edited, stepsOfRecords, run).union(deleted)
    for name in ledger.keys {
      ledger[name]?.made.subtract(pruned)
      ledger[name]?.left.subtract(pruned)
    }
    for seed in taken { record(seed, said, run) }
  }

  private mutating func makeObjects(
    _ taken: [Seed],
    _ seeder: Seeder,
    _ deleted: Set<Key>,
    _ run: inout Run
  ) {
    for key in taken.flatMap(\.content.keys) {
      let isThere = has(key)
      // If the run itself has deleted an object to create it again, the user has not deleted it.
      let staysDeleted = !seeder.restoresDeletedObjects && run.isMade(key) && !deleted.contains(key)
      if isThere ? seeder.mode == .createOnly && !run.made.contains(key) : staysDeleted {
        run.left.insert(key)
      } else if !isThere {
        insert(key)
        run.made.insert(key)
      }
    }
  }

  // MARK: - Notes

  /// Writes what records state about notes, except for the links that both sides of a relationship can state.
  /// - Returns: The numbers of the steps that the records of the run describe, including the records of seeds
  ///   that are not imported.
  private mutating func writeNotes(
    _ seeds: [Seed],
    _ taken: [Seed],
    _ run: Run,
    _ said: inout [Key: [String: String]]
  ) -> Set<Int> {
    var steps: Set<Int> = []
    for seed in seeds {
      let isTaken = taken.contains { $0.name == seed.name }
      for record in seed.content.notes ?? [] {
        let key = Key(entity: "Note", name: record.title)
        let isWritten = isTaken && !run.left.contains(key)
        guard var note = notes[record.title] else { continue }
        if isWritten { writeValues(record, key, seed.name, run, &note, &said) }
        if let texts = record.steps {
          let numbers = write(texts, isWritten: isWritten, key, seed.name, run, &note, &said)
          steps.formUnion(numbers)
        }
        notes[record.title] = note
      }
    }
    return steps
  }

  private func writeValues(
    _ record: Record,
    _ key: Key,
    _ seed: String,
    _ run: Run,
    _ note: inout Note,
    _ said: inout [Key: [String: String]]
  ) {
    if let contents = record.contents {
      let (now, present) = (contents ?? "-", note.contents ?? "-")
      let isUntouched = note.contents == nil
      if run.takes("contents", of: key, in: seed, now: now, present: present, isUntouched: isUntouched) {
        note.contents = contents
      }
      said[key, default: [:]]["contents"] = now
    }
    if let category = record.category {
      let (now, present) = (category ?? "-", note.category ?? "-")
      let isUntouched = note.category == nil
      if run.takes("category", of: key, in: seed, now: now, present: present, isUntouched: isUntouched) {
        // The note does not refer to a category that a user has deleted and that is to stay
        // deleted.
        note.category = category.flatMap { categories.contains($0) ? $0 : nil }
      }
      said[key, default: [:]]["category"] = now
    }
  }

  /// Writes the list of a note's steps, which is one value.
  /// - Returns: The numbers of the steps that the records describe.
  private mutating func write(
    _ texts: [String],
    isWritten: Bool,
    _ key: Key,
    _ seed: String,
    _ run: Run,
    _ note: inout Note,
    _ said: inout [Key: [String: String]]
  ) -> [Int] {
    let matches = Self.matches(texts, note.steps)
    let (now, present) = (texts.joined(separator: ","), Self.list(note.steps))
    if isWritten { said[key, default: [:]]["steps"] = now }
    let isUntouched = note.steps.isEmpty
    guard isWritten,
      run.takes("steps", of: key, in: seed, now: now, present: present, isUntouched: isUntouched)
    else { return matches.compactMap { $0?.number } }
    note.steps = []
    for (text, match) in zip(texts, matches) {
      if let match {
        note.steps.append(Step(number: match.number, text: text))
      } else {
        note.steps.append(newStep(text))
      }
    }
    return note.steps.map(\.number)
  }

  /// The steps that records describe: first those with the same text, then the remaining steps in order for the
  /// remaining records.
  private static func matches(_ texts: [String], _ steps: [Step]) -> [Step?] {
    var free = steps
    var matches: [Step?] = []
    for text in texts {
      let place = free.firstIndex { $0.text == text }
      matches.append(place.map { free.remove(at: $0) })
    }
    for place in matches.indices where matches[place] == nil && !free.isEmpty {
      matches[place] = free.removeFirst()
    }
    return matches
  }

  // MARK: - Relationships of many to many

  /// A record's statement about the links of its object.
  private struct View {
    let seed: String
    let key: Key
    let links: Links

    var isOfNote: Bool { key.entity == "Note" }
    var property: String { isOfNote ? "tags" : "notes" }
  }

  /// Writes the links that records state from either side: statements of both sides are combined,
  /// and each relationship of an object is decided as one value by its state before the run.
  private mutating func writeLinks(_ taken: [Seed], _ run: Run, _ said: inout [Key: [String: String]]) {
    let views = taken.flatMap { Self.views(of: $0) }.filter { !run.left.contains($0.key) }
    let before = self
    for view in views {
      let (name, key) = (view.key.name, view.key)
      let present = before.links(of: view)
      let isKnown: (String) -> Bool = { before.has(Key(entity: view.isOfNote ? "Tag" : "Note", name: $0)) }
      let others = views.filter { $0.isOfNote != view.isOfNote && $0.links.stated.contains(name) }
        .map(\.key.name)
      switch view.links {
      case .set(let own):
        let all = own.union(others)
        let now = Self.list(all)
        said[key, default: [:]][view.property] = now
        // A value that already equals the seed's value is not a conflict.
        let known = all.filter(isKnown)
        guard
          known != present,
          run.takes(
            view.property,
            of: key,
            in: view.seed,
            now: now,
            present: Self.list(present),
            isUntouched: present.isEmpty
          )
        else { continue }
        for other in known { link(view, other, isLinked: true) }
        for other in present.subtracting(known) { link(view, other, isLinked: false) }
      case .change(let added, let removed):
        let property = view.property + "+"
        let now = "\(Self.list(added))|\(Self.list(removed))"
        said[key, default: [:]][property] = now
        guard run.makes(now, of: property, key, in: view.seed) else { continue }
        // The relationship of the other side decides what that side states about an existing
        // object.
        let all = run.made.contains(key) ? added.union(others) : added
        for other in all.filter(isKnown) { link(view, other, isLinked: true) }
        for other in removed.filter(isKnown) { link(view, other, isLinked: false) }
      }
    }
  }

  private static func views(of seed: Seed) -> [View] {
    let notes = (seed.content.notes ?? []).compactMap { record in
      record.tags.map { View(seed: seed.name, key: Key(entity: "Note", name: record.title), links: $0) }
    }
    let tags = (seed.content.tags ?? []).compactMap { record in
      record.notes.map { View(seed: seed.name, key: Key(entity: "Tag", name: record.name), links: $0) }
    }
    return notes + tags
  }

  private func links(of view: View) -> Set<String> {
    view.isOfNote ? notes[view.key.name]?.tags ?? [] : titles(of: view.key.name)
  }

  private mutating func link(_ view: View, _ other: String, isLinked: Bool) {
    let (title, tag) = view.isOfNote ? (view.key.name, other) : (other, view.key.name)
    if isLinked { notes[title]?.tags.insert(tag) } else { notes[title]?.tags.remove(tag) }
  }

  // MARK: - Deletion

  private mutating func deleteAll(of entities: Set<String>, unless isKept: (Key) -> Bool) -> Set<Key> {
    let gone = Set(keys.filter { entities.contains($0.entity) && !isKept($0) })
    for key in gone { delete(key) }
    return gone
  }

  /// - Returns: The objects that are removed from the ledger.
  private mutating func prune(
    _ seeds: [Seed],
    _ taken: [Seed],
    _ seeder: Seeder,
    _ edited: Set<Key>,
    _ stepsOfRecords: Set<Int>,
    _ run: Run
  ) -> Set<Key> {
    switch seeder.effectivePruning {
    case .none: return []
    case .all:
      let all = Set(seeds.flatMap(\.content.keys))
      if seeds.contains(where: \.content.hasSteps) {
        for title in notes.keys { notes[title]?.steps.removeAll { !stepsOfRecords.contains($0.number) } }
      }
      let entities = seeds.map(\.content.entities).reduce(into: Set<String>()) { $0.formUnion($1) }
      return deleteAll(of: entities) { all.contains($0) }
    case .own:
      let brought = Set(taken.flatMap(\.content.keys))
      let others = run.before.filter { name, _ in !taken.contains { $0.name == name } }.values
      let known = taken.compactMap { run.before[$0.name] }.flatMap {
        $0.made.union($0.left).union($0.shared)
      }
      let pruned = Set(known).filter { key in
        !brought.contains(key) && run.isMade(key)
          && !others.contains { $0.made.contains(key) || $0.shared.contains(key) }
      }
      // Objects that stay because a user has changed them are removed from the ledger.
      let isKept = seeder.mode == .merge && seeder.conflictPolicy == .keepStore
      for key in pruned where !isKept || !edited.contains(key) { delete(key) }
      return pruned
    }
  }

  /// Returns true if a user has changed an object: it has a value that the seeds did not set, or that no seed sets.
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
      || isOther("tags", Self.list(note.tags)) || isOther("steps", Self.list(note.steps))
  }

  // MARK: - The ledger

  private mutating func record(_ seed: Seed, _ said: [Key: [String: String]], _ run: Run) {
    let keys = Set(seed.content.keys)
    var entry = ledger[seed.name] ?? Entry()
    entry.text = seed.text
    entry.isServed = entry.isServed || seed.isServed
    let all = entry.made.union(entry.left)
    entry.made = all.union(run.made).intersection(keys)
    entry.left = all.subtracting(keys)
    entry.shared = keys.subtracting(entry.made)
    for key in keys.subtracting(run.left) {
      entry.base[key, default: [:]]["name"] = key.name
      entry.base[key, default: [:]].merge(said[key] ?? [:]) { $1 }
    }
    entry.base = entry.base.filter { all.contains($0.key) || keys.contains($0.key) }
    ledger[seed.name] = entry
  }

  /// Returns true if the server of a seed has delivered it once. Afterwards, the fallback is not read.
  func isServed(_ name: String) -> Bool { ledger[name]?.isServed ?? false }

  /// Moves everything into a new store, imported from one seed.
  /// - Parameter tagsHaveNotes: True if the seed lists the notes of tags, false if it lists the tags of notes.
  mutating func moveToNewStore(bySeed name: String, tagsHaveNotes: Bool) {
    var entry = Entry(made: Set(keys))
    for key in keys { entry.base[key] = ["name": key.name] }
    for (title, note) in notes {
      let key = Key(entity: "Note", name: title)
      entry.base[key]?["contents"] = note.contents
      entry.base[key]?["category"] = note.category
      if !note.steps.isEmpty { entry.base[key]?["steps"] = Self.list(note.steps) }
      if !tagsHaveNotes, !note.tags.isEmpty { entry.base[key]?["tags"] = Self.list(note.tags) }
    }
    for tag in tags where tagsHaveNotes && !titles(of: tag).isEmpty {
      entry.base[Key(entity: "Tag", name: tag)]?["notes"] = Self.list(titles(of: tag))
    }
    ledger = [name: entry]
  }
}
