extension NSManagedObjectContext {
  /// Fetches the destinations of relationships together, one query for each key of each key path.
  ///
  /// - Throws: an error that names a key that is not a relationship, or the error for which a store could not be read.
  final func prefetch(_ keyPaths: [String], of objects: [NSManagedObject], entity: NSEntityDescription) throws {
    var fetched: [String: [NSManagedObject]] = [:]
    // From the longest on: what they lead to is then there for the shorter ones, which lead on to nothing.
    let paths = keyPaths.map { (keyPath: $0, keys: $0.split(separator: ".").map(String.init)) }
    for (keyPath, keys) in paths.sorted(by: { $0.keys.count > $1.keys.count }) {
      var level = (objects: objects, entity: entity, path: "")
      for (index, key) in keys.enumerated() {
        let relationship = try self.relationship(key, of: level.entity, in: keyPath)
        let path = "\(level.path).\(key)"
        let leadsOn = index < keys.count - 1
        let destinations =
          try fetched[path]
          ?? prefetch(key, of: level.objects, layout: level.entity.layout, wantsDestinations: leadsOn)
        fetched[path] = destinations
        level = (destinations, relationship.frozenDestination ?? level.entity, path)
      }
    }
  }

  private final func relationship(
    _ key: String,
    of entity: NSEntityDescription,
    in keyPath: String
  ) throws -> NSRelationshipDescription {
    if let relationship = entity.allPropertiesByName[key] as? NSRelationshipDescription { return relationship }
    throw StoreFailure.operation(
      """
      relationshipKeyPathsForPrefetching has "\(keyPath)", and \(key) is not a relationship of \(entity.name ?? ""); its \
      relationships are \(entity.relationshipsByName.keys.sorted().joined(separator: ", ")).
      """
    )
  }

  private final func prefetch(
    _ key: String,
    of objects: [NSManagedObject],
    layout: EntityLayout,
    wantsDestinations: Bool
  ) throws -> [NSManagedObject] {
    let objects = objects.filter { !$0.isDeleted }
    switch layout.places[key] {
    case .slot: return try prefetchToOne(key, of: objects)
    case .toMany(let index):
      try prefetchToMany(index, of: objects, layout: layout)
      return wantsDestinations ? destinations(of: index, of: objects, layout: layout) : []
    case nil: return []
    }
  }

  // MARK: - To-one

  private final func prefetchToOne(_ key: String, of objects: [NSManagedObject]) throws -> [NSManagedObject] {
    // The number of each object's destination among the references, each of which is asked for once.
    var sources: [(object: NSManagedObject, slot: Int, destination: Int)] = []
    var references: [ObjectReference] = []
    var numbers: [ObjectReference: Int] = [:]
    for object in objects {
      guard let slot = object.layout.names.index(of: key), slot >= 0, let row = object.rowAtHand,
        case .reference(let reference) = row.value(slot)
      else { continue }
      let number = numbers[reference] ?? references.count
      if number == references.count {
        numbers[reference] = number
        references.append(reference)
      }
      sources.append((object, slot, number))
    }
    let destinations = try self.objects(withValuesFor: references)
    for source in sources {
      source.object.ensureExtras().setDestination(destinations[source.destination], slot: source.slot)
    }
    return destinations
  }

  /// The objects of references, with values. Objects without values are fetched, with one query for
  /// each store and root entity.
  final func objects(withValuesFor references: [ObjectReference]) throws -> [NSManagedObject] {
    struct Source: Hashable {
      let store: Int32
      let root: Int32
    }
    let objects = references.map(object(for:))
    let faults = objects.filter { $0.base == nil && !$0.reference.isTemporary }
    for (source, faults) in Dictionary(
      grouping: faults,
      by: { Source(store: $0.store, root: $0.layout.rootNumber) }
    ) {
      var query = FetchQuery(entity: layout(source.root).entity)
      query.keys = faults.map(\.key).sorted()
      query.stores = [source.store]
      _ = self.objects(for: try connectedChannel().fetch(query))
    }
    return objects
  }

  // MARK: - To-many

  /// Fetches the destinations of objects whose relationship was not asked for yet.
  final func prefetchToMany(_ index: Int, of objects: [NSManagedObject], layout: EntityLayout) throws {
    let waiting = objects.filter { $0.isStoredSomewhere && !$0.hasMembers(index, of: layout) }
    for (_, sources) in Dictionary(grouping: waiting, by: \.store) {
      let rows = try connectedChannel().destinations(of: index, fromEach: sources.map(\.reference), layout: layout)
      let found = destinations(for: rows)
      for (source, rows) in zip(sources, rows) {
        source.rebaseDestinations(rows.compactMap { found[$0.key] }, index: index, of: layout)
      }
    }
  }

  /// The objects of many sources' rows by their keys, which tell the destinations of one store's relationship apart.
  private final func destinations(for rows: [[FetchedRow]]) -> [Int64: NSManagedObject] {
    var unique: [FetchedRow] = []
    var seen: Set<Int64> = []
    for row in rows.joined() where seen.insert(row.key).inserted { unique.append(row) }
    return Dictionary(uniqueKeysWithValues: zip(unique.map(\.key), self.objects(for: unique)))
  }

  /// The objects that a to-many relationship of several objects leads to, each once.
  private final func destinations(
    of index: Int,
    of objects: [NSManagedObject],
    layout: EntityLayout
  ) -> [NSManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    var found: [NSManagedObject] = []
    for object in objects {
      for member in object.members(index, of: layout) where seen.insert(ObjectIdentifier(member)).inserted {
        found.append(member)
      }
    }
    return found
  }
}

extension NSManagedObject {
  /// The object's own number of a relationship that another layout numbers.
  private final func index(_ index: Int, of layout: EntityLayout) -> Int {
    if layout === self.layout { return index }
    guard case .toMany(let own)? = self.layout.places[layout.toMany[index].name] else { return index }
    return own
  }

  fileprivate final func hasMembers(_ index: Int, of layout: EntityLayout) -> Bool {
    toManyState(self.index(index, of: layout)).members != nil
  }

  final func members(_ index: Int, of layout: EntityLayout) -> [NSManagedObject] {
    members(self.index(index, of: layout))
  }

  fileprivate final func rebaseDestinations(_ objects: [NSManagedObject], index: Int, of layout: EntityLayout) {
    rebaseDestinations(objects, index: self.index(index, of: layout))
  }
}
