extension SeedLife {
  /// A record's statement about a many-to-many relationship.
  enum Links: Equatable {
    case set(Set<String>)
    case change(added: Set<String>, removed: Set<String>)

    /// The links that the record states.
    var stated: Set<String> {
      switch self {
      case .set(let names): names
      case .change(let added, _): added
      }
    }

    /// The links that the record removes.
    var removed: Set<String> {
      switch self {
      case .set: []
      case .change(_, let removed): removed
      }
    }
  }

  /// The seed's values for a note; a field that is nil is missing in the seed.
  struct Record {
    let title: String
    var contents: String??
    var category: String??
    var tags: Links?
    /// The texts of the step records nested in this record.
    var steps: [String]?
  }

  /// The seed's values for a tag; a field that is nil is missing in the seed.
  struct TagRecord {
    let name: String
    var notes: Links?
  }

  /// The content of a seed. A nil list is missing in the seed.
  struct Content {
    var tags: [TagRecord]?
    var categories: [String]?
    var notes: [Record]?

    var keys: [Key] {
      (tags ?? []).map { Key(entity: "Tag", name: $0.name) }
        + (categories ?? []).map { Key(entity: "Category", name: $0) }
        + (notes ?? []).map { Key(entity: "Note", name: $0.title) }
    }

    /// The entities that have a list.
    var entities: Set<String> {
      Set(
        [tags.map { _ in "Tag" }, categories.map { _ in "Category" }, notes.map { _ in "Note" }].compactMap {
          $0
        }
      )
    }

    /// Whether there are records of steps.
    var hasSteps: Bool { (notes ?? []).contains { $0.steps?.isEmpty == false } }
  }

  /// A seed of a run.
  struct Seed {
    let name: String
    let content: Content
    let text: String
    /// True if the seed comes from its server instead of from its fallback.
    var isServed = false
  }
}

extension SeedLife.Content {
  /// The content as a seed.
  /// - Parameter tagList: The key for the entity of tags, whose name differs in some versions of
  ///   the model.
  func text(tagList: String) -> String {
    var lists: [String] = []
    if let tags { lists.append("\"\(tagList)\": [\(tags.map(\.text).joined(separator: ", "))]") }
    if let categories {
      lists.append("\"categories\": [\(categories.map { "{\"name\": \"\($0)\"}" }.joined(separator: ", "))]")
    }
    if let notes { lists.append("\"notes\": [\(notes.map(\.text).joined(separator: ", "))]") }
    return "{\(lists.joined(separator: ",\n"))}"
  }
}

extension SeedLife.TagRecord {
  fileprivate var text: String {
    "{\"name\": \"\(name)\"\(notes.map { ", \"notes\": \($0.text)" } ?? "")}"
  }
}

extension SeedLife.Record {
  fileprivate var text: String {
    var fields = ["\"title\": \"\(title)\""]
    if let contents { fields.append("\"contents\": \(contents.map { "\"\($0)\"" } ?? "null")") }
    if let category { fields.append("\"category\": \(category.map { "\"\($0)\"" } ?? "null")") }
    if let tags { fields.append("\"tags\": \(tags.text)") }
    if let steps {
      fields.append("\"steps\": [\(steps.map { "{\"text\": \"\($0)\"}" }.joined(separator: ", "))]")
    }
    return "{\(fields.joined(separator: ", "))}"
  }
}

extension SeedLife.Links {
  fileprivate var text: String {
    func list(_ names: Set<String>) -> String {
      "[\(names.sorted().map { "\"\($0)\"" }.joined(separator: ", "))]"
    }
    switch self {
    case .set(let all): return list(all)
    case .change(let added, let removed):
      return "{\"$add\": \(list(added)), \"$remove\": \(list(removed))}"
    }
  }
}
