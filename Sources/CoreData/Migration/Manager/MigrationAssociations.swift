/// The objects of the destination, with the objects of the source from which they were made, by mapping.
struct MigrationAssociations {
  private struct Table {
    var destinations: [NSManagedObject: [NSManagedObject]] = [:]
    var sources: [NSManagedObject: [NSManagedObject]] = [:]
    /// In the order in which they were made.
    var allSources: [NSManagedObject] = []
    var allDestinations: [NSManagedObject] = []
  }

  private var tables: [String: Table] = [:]

  mutating func add(_ source: NSManagedObject, destination: NSManagedObject, mapping: String) {
    if tables[mapping, default: Table()].destinations[source] == nil {
      tables[mapping, default: Table()].allSources.append(source)
    }
    if tables[mapping]?.sources[destination] == nil { tables[mapping]?.allDestinations.append(destination) }
    tables[mapping]?.destinations[source, default: []].append(destination)
    tables[mapping]?.sources[destination, default: []].append(source)
  }

  func destinations(mapping: String, of sources: [NSManagedObject]?) -> [NSManagedObject] {
    guard let table = tables[mapping] else { return [] }
    guard let sources else { return table.allDestinations }
    return sources.flatMap { table.destinations[$0] ?? [] }
  }

  func sources(mapping: String, of destinations: [NSManagedObject]?) -> [NSManagedObject] {
    guard let table = tables[mapping] else { return [] }
    guard let destinations else { return table.allSources }
    return destinations.flatMap { table.sources[$0] ?? [] }
  }

  /// The objects that any mapping has made from source objects, in the order of the source objects.
  func destinations(of sources: [NSManagedObject]) -> [NSManagedObject] {
    sources.flatMap { source in tables.values.flatMap { $0.destinations[source] ?? [] } }
  }
}
