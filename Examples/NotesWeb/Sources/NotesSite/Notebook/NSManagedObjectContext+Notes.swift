import CoreData

extension NSManagedObjectContext {
  /// Fetches a note; nil if it does not exist.
  func note(_ id: NoteID) throws -> Note? {
    guard let coordinator = persistentStoreCoordinator, let store = coordinator.persistentStores.first,
      let url = URL(string: "x-coredata://\(store.identifier ?? "")/Note/\(id)"),
      let objectID = coordinator.managedObjectID(forURIRepresentation: url)
    else { return nil }
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "SELF == %@", argumentArray: [objectID])
    request.relationshipKeyPathsForPrefetching = ["category", "tags"]
    return try fetch(request).first
  }

  /// Fetches all categories by name, with the number of their notes.
  func categories() throws -> [CategoryDetails] {
    let request = NSFetchRequest<Category>(entityName: "Category")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    let categories = try fetch(request)
    let counts = try noteCounts(by: "category")
    return categories.map { category in
      CategoryDetails(category, noteCount: counts[category.objectID] ?? 0)
    }
  }

  /// Fetches tags by name, with the number of their notes.
  ///
  /// - Parameter withoutNotes: True to include tags that no note has.
  func tags(withoutNotes: Bool = false) throws -> [TagDetails] {
    let request = NSFetchRequest<Tag>(entityName: "Tag")
    request.predicate = withoutNotes ? nil : NSPredicate(format: "notes.@count > 0")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    // A form offers only this many tags. All tags can be typed.
    request.fetchLimit = 100
    return try fetch(request).map { tag in
      let notes = NSFetchRequest<Note>(entityName: "Note")
      notes.predicate = NSPredicate(format: "ANY tags == %@", argumentArray: [tag])
      return TagDetails(name: tag.name, noteCount: try count(for: notes))
    }
  }

  /// Counts notes by the destination of a relationship, in one statement.
  private func noteCounts(by relationship: String) throws -> [NSManagedObjectID: Int] {
    let count = NSExpressionDescription()
    count.name = "count"
    count.expression = NSExpression(
      forFunction: "count:",
      arguments: [NSExpression(forKeyPath: "title")]
    )
    count.expressionResultType = .integer64AttributeType
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToGroupBy = [relationship]
    request.propertiesToFetch = [relationship, count]
    var counts: [NSManagedObjectID: Int] = [:]
    for row in try fetch(request) {
      guard let id = row[relationship] as? NSManagedObjectID else { continue }
      counts[id] = row["count"] as? Int ?? 0
    }
    return counts
  }
}

extension NSFetchRequest where ResultType == Note {
  /// The same request without limits, for counting.
  var withoutLimits: NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = predicate
    return request
  }
}

extension Note {
  /// The order of lists: by day, the newest first, and then by the last change.
  static var newestFirst: [NSSortDescriptor] {
    [
      NSSortDescriptor(key: "createdAt", ascending: false),
      NSSortDescriptor(key: "updatedAt", ascending: false),
      NSSortDescriptor(key: "title", ascending: true),
    ]
  }

  /// The note's ID in addresses; nil before it is saved.
  var noteID: NoteID? { NoteID(objectID.uriRepresentation().lastPathComponent) }
}

extension NoteDetails {
  init(_ note: Note) {
    // Another program may have saved a note without a title. Its title is shown as empty.
    self.init(
      id: note.noteID ?? NoteID("p0")!,
      title: note.value(forKey: "title") as? String ?? "",
      contents: note.contents ?? "",
      createdAt: note.createdAt,
      updatedAt: note.updatedAt,
      category: note.category.map { CategoryDetails($0) },
      tags: note.tags.map(\.name).sorted()
    )
  }
}

extension CategoryDetails {
  init(_ category: Category, noteCount: Int? = nil) {
    let color = category.colorAsHex.flatMap { text in
      text.utf8.count == 6 && text.allSatisfy(\.isHexDigit) ? text : nil
    }
    self.init(name: category.name, color: color, noteCount: noteCount)
  }
}

extension NoteQuery {
  /// The condition that selects the notes; nil for all notes.
  var predicate: NSPredicate? {
    var conditions = words.split(whereSeparator: \.isWhitespace).prefix(Self.mostWords).map { word in
      NSPredicate(
        format: "title CONTAINS[cd] %@ OR contents CONTAINS[cd] %@ OR ANY tags.name CONTAINS[cd] %@",
        argumentArray: [String(word), String(word), String(word)]
      )
    }
    if let category {
      conditions.append(NSPredicate(format: "category.name == %@", argumentArray: [category]))
    }
    if let tag { conditions.append(NSPredicate(format: "ANY tags.name == %@", argumentArray: [tag])) }
    return conditions.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
  }
}
