import Foundation

/// The objects that candidates refer to. They are read for many candidates at once, and kept until the next batch.
///
/// Objects that the prefetch did not include are read on demand.
package final class SQLRelatedRows<Connection: SQLQueryConnection>: ObjectReader {
  fileprivate struct Link: Hashable {
    let relationship: ObjectIdentifier
    let key: Int64
  }

  private let reader: SQLReader
  private let connection: Connection
  /// The rows by the number of their root and their key; `nil` inside for one that is not there.
  private var rows: [Int32: [Int64: FetchedRow?]] = [:]
  private var links: [Link: [ObjectReference]] = [:]

  package init(reader: SQLReader, connection: Connection) {
    self.reader = reader
    self.connection = connection
  }

  package func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    if let known = rows[layout.rootNumber]?[reference.key] { return known }
    let row = try reader.row(reference.key, root: layout.rootNumber, on: connection)
    rows[layout.rootNumber, default: [:]][reference.key] = .some(row)
    return row
  }

  package func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    let link = Link(layout: layout, relationship: relationship, key: reference.key)
    if let known = links[link] { return known }
    let found = try reader.destinations(
      of: relationship,
      from: reference,
      layout: layout,
      from: SQLLeasedSource(connection: connection)
    )
    links[link] = found
    return found
  }

  // MARK: - Before they are asked for

  /// Reads the objects at the ends of key paths from some rows, with a query for each key of a path.
  func prefetch(_ keyPaths: [[String]], from rows: [FetchedRow]) throws {
    if rows.isEmpty { return }
    for (key, paths) in Dictionary(grouping: keyPaths.filter { !$0.isEmpty }, by: { $0[0] }) {
      var next: [FetchedRow] = []
      for (_, rows) in Dictionary(grouping: rows, by: \.layout.number) { next += try destinations(key, from: rows) }
      try prefetch(paths.map { Array($0.dropFirst()) }, from: next)
    }
  }

  /// The rows that a relationship leads to from rows of one entity; none for an attribute.
  private func destinations(_ key: String, from rows: [FetchedRow]) throws -> [FetchedRow] {
    guard let layout = rows.first?.layout else { return [] }
    switch layout.places[key] {
    case .slot(let slot):
      guard let destination = layout.slots[slot].relationship?.frozenDestination else { return [] }
      return try destinations(of: destination, by: rows.compactMap { $0.row?.reference(slot)?.key })
    case .toMany(let relationship): return try destinations(relationship, layout: layout, from: rows)
    case nil: return []
    }
  }

  private func destinations(of entity: NSEntityDescription, by keys: [Int64]) throws -> [FetchedRow] {
    let root = entity.layout.rootNumber
    let keys = Set(keys)
    let unknown = keys.filter { rows[root]?[$0] == nil }
    if !unknown.isEmpty {
      var query = FetchQuery(entity: entity)
      query.keys = unknown.sorted()
      let found = try reader.fetch(query, from: SQLLeasedSource(connection: connection))
      for key in unknown { rows[root, default: [:]][key] = .some(nil) }
      for row in found { rows[root, default: [:]][row.key] = .some(row) }
    }
    return keys.compactMap { rows[root]?[$0] ?? nil }
  }

  private func destinations(_ relationship: Int, layout: EntityLayout, from rows: [FetchedRow]) throws -> [FetchedRow] {
    let found = try reader.destinations(
      of: relationship,
      fromEach: rows.map(\.reference),
      layout: layout,
      from: SQLLeasedSource(connection: connection)
    )
    var destinations: [Int64: FetchedRow] = [:]
    for (row, each) in zip(rows, found) {
      links[Link(layout: layout, relationship: relationship, key: row.key)] = each.map(\.reference)
      for row in each {
        destinations[row.key] = row
        self.rows[row.layout.rootNumber, default: [:]][row.key] = .some(row)
      }
    }
    return Array(destinations.values)
  }
}

extension SQLRelatedRows.Link {
  init(layout: EntityLayout, relationship: Int, key: Int64) {
    self.init(relationship: ObjectIdentifier(layout.toMany[relationship].relationship), key: key)
  }
}
