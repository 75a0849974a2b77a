#if !canImport(Darwin)
  import CoreData

  /// The graph of the entities whose records refer to each other, as far as the records are known.
  struct ReferenceGraph {
    private var destinations: [ObjectIdentifier: [ObjectIdentifier: EntityShape]] = [:]
    private var sources: [ObjectIdentifier: EntityShape] = [:]
    private var known: [Edge: Bool] = [:]
    private var knownHasCircles: Bool?

    private struct Edge: Hashable {
      let source: ObjectIdentifier
      let destination: ObjectIdentifier
    }

    mutating func add(from source: EntityShape, to destination: EntityShape) {
      let (sourceID, destinationID) = (ObjectIdentifier(source), ObjectIdentifier(destination))
      guard destinations[sourceID]?[destinationID] == nil else { return }
      destinations[sourceID, default: [:]][destinationID] = destination
      sources[sourceID] = source
      known = [:]
      knownHasCircles = nil
    }

    /// Returns true if references between the records of entities form a cycle.
    mutating func hasCircles() -> Bool {
      if let knownHasCircles { return knownHasCircles }
      var hasCircles = false
      for (id, source) in sources {
        for destination in (destinations[id] ?? [:]).values where isCircular(from: source, to: destination) {
          hasCircles = true
        }
      }
      knownHasCircles = hasCircles
      return hasCircles
    }

    /// Returns true when records of the destination refer to the source in turn, themselves or through others.
    mutating func isCircular(from source: EntityShape, to destination: EntityShape) -> Bool {
      let edge = Edge(source: ObjectIdentifier(source), destination: ObjectIdentifier(destination))
      if let answer = known[edge] { return answer }
      let answer = reaches(source, from: destination)
      known[edge] = answer
      return answer
    }

    private func reaches(_ goal: EntityShape, from start: EntityShape) -> Bool {
      var seen: Set<ObjectIdentifier> = []
      var open = [start]
      while let next = open.popLast() {
        if goal.entity.isKindOf(entity: next.entity) { return true }
        guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
        for (id, source) in sources where source.entity.isKindOf(entity: next.entity) {
          open += (destinations[id] ?? [:]).values
        }
      }
      return false
    }
  }

#endif
