/// The expected content of a store of notes, tags and categories after a sequence of changes, as
/// plain values.
struct SeedLife {
  struct Note: Equatable {
    var contents: String?
    var category: String?
    var tags: Set<String> = []
    /// Objects without a natural key, in order. Each belongs to this note only.
    var steps: [Step] = []
  }

  struct Step: Equatable {
    /// The number of the object, which never changes.
    let number: Int
    var text: String
  }

  /// An object, by entity and natural key.
  struct Key: Hashable {
    let entity: String
    let name: String
  }

  /// The record that the store keeps of a seed.
  struct Entry {
    var text = ""
    /// The objects that the seed has created and still contains.
    var made: Set<Key> = []
    /// The objects that the seed has created and no longer contains.
    var left: Set<Key> = []
    var shared: Set<Key> = []
    /// The seed's last values, by property.
    var base: [Key: [String: String]] = [:]
    /// Whether the seed's server has answered once.
    var isServed = false
  }

  var notes: [String: Note] = [:]
  var tags: Set<String> = []
  var categories: Set<String> = []
  var ledger: [String: Entry] = [:]
  private var stepCount = 0

  /// All objects that have natural keys.
  var keys: [Key] {
    tags.map { Key(entity: "Tag", name: $0) } + categories.map { Key(entity: "Category", name: $0) }
      + notes.keys.map { Key(entity: "Note", name: $0) }
  }

  func has(_ key: Key) -> Bool {
    switch key.entity {
    case "Tag": tags.contains(key.name)
    case "Category": categories.contains(key.name)
    default: notes[key.name] != nil
    }
  }

  func titles(of tag: String) -> Set<String> {
    Set(notes.filter { $0.value.tags.contains(tag) }.keys)
  }

  static func list(_ names: Set<String>) -> String { names.sorted().joined(separator: ",") }

  static func list(_ steps: [Step]) -> String { steps.map(\.text).joined(separator: ",") }

  // MARK: - Users

  mutating func insert(_ key: Key) {
    switch key.entity {
    case "Tag": tags.insert(key.name)
    case "Category": categories.insert(key.name)
    default: notes[key.name] = Note()
    }
  }

  /// Deletes an object, and with a note its steps.
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

  /// A user's change to the steps of a note.
  enum StepEdit {
    case text(Int, String)
    case remove(Int)
    case append(String)
    case reverse
  }

  mutating func edit(_ title: String, _ edit: StepEdit) {
    switch edit {
    case .text(let place, let text): notes[title]?.steps[place].text = text
    case .remove(let place): notes[title]?.steps.remove(at: place)
    case .append(let text):
      let step = newStep(text)
      notes[title]?.steps.append(step)
    case .reverse: notes[title]?.steps.reverse()
    }
  }

  mutating func newStep(_ text: String) -> Step {
    stepCount += 1
    return Step(number: stepCount, text: text)
  }

  mutating func renameTag(_ name: String, to other: String) {
    tags.remove(name)
    tags.insert(other)
    for title in notes.keys where notes[title]?.tags.remove(name) != nil { notes[title]?.tags.insert(other) }
  }

  // MARK: - Comparison

  /// A line for each object.
  var lines: [String] {
    notes.map { title, note in
      [title, note.contents ?? "-", note.category ?? "-", Self.list(note.tags), Self.list(note.steps)]
        .joined(separator: "|")
    }.sorted() + tags.sorted() + categories.sorted() + notes.values.flatMap(\.steps).map(\.text).sorted()
  }
}
