/// Puts entities so that what is referred to comes first.
enum DependencyOrder {
  /// The names of the entities: a destination before the entities whose records refer to it,
  /// otherwise by name. A circle of relationships is cut at the first name of those in it.
  static func sorted(_ records: [String: [PlannedRecord]]) -> [String] {
    sorted(
      destinations: records.mapValues { records in
        var names: Set<String> = []
        for record in records {
          for reference in record.references where !reference.targets.isEmpty {
            names.insert(reference.destination.name)
          }
        }
        return names
      }
    )
  }

  static func sorted(destinations: [String: Set<String>]) -> [String] {
    var order: [String] = []
    var waiting = destinations.keys.sorted()
    var open = destinations.mapValues { $0.intersection(waiting) }
    while !waiting.isEmpty {
      let index = waiting.firstIndex { open[$0]?.subtracting([$0]).isEmpty ?? true } ?? 0
      let name = waiting.remove(at: index)
      order.append(name)
      for other in waiting { open[other]?.remove(name) }
    }
    return order
  }
}
