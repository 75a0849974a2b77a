/// A version of the seed that combinations import: two albums and their items.
struct CombinationContent: Sendable {
  struct Album: Sendable {
    let name: String
    let note: String
    let items: [String]
    /// The items that the record removes, if the seed adds items.
    var removed: [String] = []
  }

  let albums: [Album]

  /// The items that the version contains.
  var items: [String] { Set(albums.flatMap(\.items)).sorted() }

  func album(_ name: String) -> Album? { albums.first { $0.name == name } }

  /// The albums that an item is in.
  func albums(of item: String) -> [String] { albums.filter { $0.items.contains(item) }.map(\.name) }

  static func first(_ kind: Combination.Kind) -> Self {
    let items: (a: [String], b: [String]) =
      switch kind {
      case .toOne, .oneToOne: (["x"], ["y"])
      case .manyToMany, .ordered: (["x", "y"], ["y", "z"])
      default: (["x", "y"], ["z"])
      }
    return Self(albums: [
      Album(name: "a", note: "1", items: items.a), Album(name: "b", note: "1", items: items.b),
    ])
  }

  /// The next version: the note of a changes, x is removed, n is added, and y and z are swapped if one list contains both.
  static func second(_ kind: Combination.Kind) -> Self {
    switch kind {
    case .toOne, .oneToOne:
      Self(albums: [Album(name: "a", note: "2", items: ["y"]), Album(name: "b", note: "1", items: ["n"])])
    case .added:
      Self(albums: [
        Album(name: "a", note: "2", items: ["y", "n"], removed: ["x"]),
        Album(name: "b", note: "1", items: ["z"], removed: ["x"]),
      ])
    default:
      Self(albums: [
        Album(name: "a", note: "2", items: ["z", "n"]), Album(name: "b", note: "1", items: ["y"]),
      ])
    }
  }
}

// MARK: - Texts

/// A key of a record, and its value.
private struct Field {
  let key: String
  let value: Value
}

/// A value of a seed, independent of the format.
private indirect enum Value {
  case text(String)
  case list([Value])
  case record([Field])

  /// The same text is JSON, and YAML in its flow style.
  var json: String {
    switch self {
    case .text(let text): "\"\(text)\""
    case .list(let values): "[\(values.map(\.json).joined(separator: ", "))]"
    case .record(let fields):
      "{\(fields.map { field in "\"\(field.key)\": \(field.value.json)" }.joined(separator: ", "))}"
    }
  }

  var plist: String {
    switch self {
    case .text(let text): "<string>\(text)</string>"
    case .list(let values): "<array>\(values.map(\.plist).joined())</array>"
    case .record(let fields):
      "<dict>\(fields.map { "<key>\($0.key)</key>\($0.value.plist)" }.joined())</dict>"
    }
  }

  /// The fields of a row of a table, by the keys of their columns.
  func columns(_ key: String = "") -> [Column] {
    switch self {
    case .text(let text): return [Column(key: key, text: text)]
    case .list(let values):
      let all = values.map { $0.columns(key) }
      guard let first = all.first else { return [] }
      return first.indices.map { place in
        Column(key: first[place].key, text: all.map { $0[place].text }.joined(separator: "|"))
      }
    case .record(let fields):
      return fields.flatMap { field in field.value.columns(key.isEmpty ? field.key : "\(key).\(field.key)") }
    }
  }

  struct Column {
    let key: String
    let text: String
  }
}

/// The records of an entity.
private struct RecordList {
  let word: String
  let entity: String
  let records: [[Field]]

  var field: Field { Field(key: word, value: .list(records.map(Value.record))) }
}

extension Combination {
  /// The files of a version, with their names.
  func files(_ content: CombinationContent) -> [(name: String, text: String)] {
    let albums = content.albums.map { album in
      var fields = [
        Field(key: "name", value: .text(album.name)), Field(key: "note", value: .text(album.note)),
      ]
      if side != .items { fields.append(Field(key: "items", value: members(album))) }
      return fields
    }
    var lists = [RecordList(word: "albums", entity: "Album", records: albums)]
    if place == .byReference {
      let items = content.items.map { item in
        var fields = [Field(key: "name", value: .text(item))]
        let owners = content.albums(of: item).map(Value.text)
        if side != .albums {
          fields.append(Field(key: "albums", value: kind.isShared ? .list(owners) : owners[0]))
        }
        return fields
      }
      lists.append(RecordList(word: "items", entity: "Item", records: items))
    }
    return texts(lists)
  }

  /// An album's statement about its items, as a value.
  private func members(_ album: CombinationContent.Album) -> Value {
    let members = album.items.map { item -> Value in
      place == .nested
        ? .record([Field(key: kind.hasKey ? "name" : "text", value: .text(item))]) : .text(item)
    }
    switch kind {
    case .toOne, .oneToOne: return members[0]
    case .added:
      var fields = [Field(key: "$add", value: .list(members))]
      if !album.removed.isEmpty {
        fields.append(Field(key: "$remove", value: .list(album.removed.map(Value.text))))
      }
      return .record(fields)
    case .replaced, .replacedWithoutKey: return .record([Field(key: "$replace", value: .list(members))])
    case .toMany, .manyToMany, .ordered, .owned, .ownedWithoutKey: return .list(members)
    }
  }

  private func texts(_ lists: [RecordList]) -> [(name: String, text: String)] {
    let whole = Value.record(lists.map(\.field))
    switch format {
    case .json: return [(name: "seed.json", text: whole.json)]
    case .jsonl:
      let lines = lists.flatMap { list in
        list.records.map { Value.record([Field(key: "$entity", value: .text(list.entity))] + $0).json }
      }
      return [(name: "seed.jsonl", text: lines.joined(separator: "\n") + "\n")]
    case .yaml:
      let lines = lists.flatMap { list in
        ["\(list.word):"] + list.records.map { "  - \(Value.record($0).json)" }
      }
      return [(name: "seed.yaml", text: lines.joined(separator: "\n") + "\n")]
    case .csv:
      return lists.map { list in
        let rows = list.records.map { Value.record($0).columns() }
        let head = (rows.first ?? []).map(\.key)
        let lines = ([head] + rows.map { $0.map(\.text) }).map { $0.joined(separator: ",") }
        return (name: "\(list.word).csv", text: lines.joined(separator: "\n") + "\n")
      }
    case .plist:
      let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
      return [(name: "seed.plist", text: "\(head)\n<plist version=\"1.0\">\(whole.plist)</plist>\n")]
    }
  }
}
