import ModelFormats

/// A line in the picture of a model.
struct DiagramLine: Sendable {
  enum Kind: String { case inheritance, relationship }

  /// An end of a line: an entity, and the relationship at whose row the line ends.
  struct End: Hashable, Sendable {
    /// The entity's index.
    var entity: Int
    /// The relationship's index; `nil` for a line that ends at the entity's name.
    var relationship: Int?
    /// The number of arrowheads that point at the entity: one for a to-one relationship, two for a to-many
    /// relationship.
    var arrowheads = 0
  }

  var kind: Kind
  /// The subentity, or the entity of the first relationship.
  var from: End
  var to: End
}

/// All lines of a model.
///
/// There is one line for each pair of inverse relationships, one for each other relationship, and one from each
/// entity to its parent.
struct ModelLines {
  private(set) var lines: [DiagramLine] = []
  private let entities: [ModelDocument.Entity]
  private var numbers: [String: Int] = [:]
  /// For each entity, the index of each relationship by its name.
  private var relationships: [[String: Int]] = []

  init(_ document: ModelDocument) {
    entities = document.entities
    for (index, entity) in entities.enumerated() where numbers[entity.name] == nil { numbers[entity.name] = index }
    relationships = entities.map { entity in
      Dictionary(
        entity.relationships.enumerated().map { ($1.name, $0) },
        uniquingKeysWith: { first, _ in first }
      )
    }
    for index in entities.indices {
      if let parent = entities[index].parentEntity.flatMap({ numbers[$0] }), parent != index {
        lines.append(DiagramLine(kind: .inheritance, from: .init(entity: index), to: .init(entity: parent)))
      }
      for number in entities[index].relationships.indices { addLine(of: index, number: number) }
    }
  }

  private mutating func addLine(of entity: Int, number: Int) {
    let relationship = entities[entity].relationships[number]
    guard let destination = relationship.destinationEntity.flatMap({ numbers[$0] }) else { return }
    let heads = relationship.isToMany ? 2 : 1
    guard let inverse = inverse(of: entity, number: number) else {
      lines.append(
        DiagramLine(
          kind: .relationship,
          from: .init(entity: entity, relationship: number),
          to: .init(entity: destination, arrowheads: heads)
        )
      )
      return
    }
    // The first relationship of a pair adds the line.
    if (inverse.entity, inverse.number) < (entity, number) { return }
    let inverseHeads = entities[inverse.entity].relationships[inverse.number].isToMany ? 2 : 1
    lines.append(
      DiagramLine(
        kind: .relationship,
        from: .init(entity: entity, relationship: number, arrowheads: inverseHeads),
        to: .init(entity: inverse.entity, relationship: inverse.number, arrowheads: heads)
      )
    )
  }

  /// Returns the inverse of a relationship, if both name each other. It may be the relationship itself.
  private func inverse(of entity: Int, number: Int) -> (entity: Int, number: Int)? {
    let relationship = entities[entity].relationships[number]
    guard let name = relationship.inverseName, let own = place(of: relationship.name, from: entity),
      own == (entity, number)
    else { return nil }
    for start in [relationship.inverseEntity, relationship.destinationEntity] {
      guard let start = start.flatMap({ numbers[$0] }), let found = place(of: name, from: start) else {
        continue
      }
      let inverse = entities[found.entity].relationships[found.number]
      guard inverse.inverseName == relationship.name else { continue }
      for back in [inverse.inverseEntity, inverse.destinationEntity] {
        guard let back = back.flatMap({ numbers[$0] }) else { continue }
        if let place = place(of: relationship.name, from: back), place == own { return found }
      }
    }
    return nil
  }

  /// Returns the entity that declares a relationship which the given entity has or inherits, and the relationship's
  /// index.
  private func place(of name: String, from entity: Int) -> (entity: Int, number: Int)? {
    var entity = entity
    // The loop is bounded, because the parents in a damaged document may form a cycle.
    for _ in 0...64 {
      if let number = relationships[entity][name] { return (entity, number) }
      guard let parent = entities[entity].parentEntity.flatMap({ numbers[$0] }) else { return nil }
      entity = parent
    }
    return nil
  }

  /// Returns the indices of the named entities and of the entities within a number of lines, in the model's order.
  func neighbours(of names: Set<String>, distance: Int) -> [Int] {
    var chosen = Set(entities.indices.filter { names.contains(entities[$0].name) })
    for _ in 0..<max(0, min(distance, entities.count)) {
      var found = chosen
      for line in lines {
        if chosen.contains(line.from.entity) { found.insert(line.to.entity) }
        if chosen.contains(line.to.entity) { found.insert(line.from.entity) }
      }
      if found.count == chosen.count { break }
      chosen = found
    }
    return chosen.sorted()
  }
}
