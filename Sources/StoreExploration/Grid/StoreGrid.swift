package import CoreData
import Foundation
import ModelFormats
import Texts

/// Fetches the pages of a grid.
package struct StoreGrid: Sendable {
  /// The number up to which the destinations of to-many relationships are counted.
  package static let countCap = 1_000
  private static let longestLiteral = 200
  let explored: ExploredStore

  package init(_ explored: ExploredStore) { self.explored = explored }

  /// A page of the objects of a query.
  ///
  /// - Parameters:
  ///   - size: the largest number of rows.
  ///   - limit: the time that the answer may take.
  /// - Throws: `ExplorationFailure`, `PredicateFormatError`, or the store's error.
  package func page(
    _ query: GridQuery,
    size: Int,
    detail: GridDetail = .summary,
    within limit: Duration
  ) async throws -> GridPage {
    let explored = explored
    return try await explored.read(within: limit) {
      try Self.page(query, size: size, detail: detail, explored: explored, context: $0)
    }
  }

  /// Iterates over all objects of a query page by page, so that only one page is in memory.
  ///
  /// - Parameters:
  ///   - limit: the time that each page may take.
  ///   - body: called at least once, with the columns and the rows of each page.
  package func forEachPage(
    of query: GridQuery,
    within limit: Duration,
    _ body: ([GridColumn], [GridRow]) async throws -> Void
  ) async throws {
    let size = Self.hasLargeValues(try explored.entity(query.entity)) ? Self.heavyRows : Self.lightRows
    var query = query
    query.position = nil
    while true {
      let page = try await page(query, size: size, detail: .whole, within: limit)
      try await body(page.columns, page.rows)
      guard let next = page.next else { return }
      query.position = next
    }
  }

  /// The numbers of rows on a page.
  private static let heavyRows = 20
  private static let lightRows = 1_000

  /// True if the objects of the query are in the order of a relationship and have positions in it.
  package func hasPlaces(_ query: GridQuery) -> Bool { explored.orderedRelationship(of: query) != nil }

  /// The number of objects that the query selects.
  package func count(_ query: GridQuery, within limit: Duration) async throws -> Int {
    let explored = explored
    return try await explored.read(within: limit) { context in
      try context.count(for: try explored.request(for: query, in: context))
    }
  }

  private static func page(
    _ query: GridQuery,
    size: Int,
    detail: GridDetail,
    explored: ExploredStore,
    context: NSManagedObjectContext
  ) throws -> GridPage {
    let entity = try explored.entity(query.entity)
    let columns = detail == .summary ? columns(of: entity, choice: query.columns) : columns(of: entity)
    let request = try explored.request(for: query, in: context)
    let isHeavy = hasLargeValues(entity)
    request.includesPropertyValues = !isHeavy
    if !isHeavy {
      request.relationshipKeyPathsForPrefetching = columns.compactMap { column in
        guard case .toOne(let destination) = column.kind,
          let destination = explored.model.entitiesByName[destination], !hasLargeValues(destination)
        else { return nil }
        return column.name
      }
    }
    if let relationship = explored.orderedRelationship(of: query), let scope = query.scope {
      let object = try explored.object(try explored.entity(scope.entity), key: scope.key, in: context)
      let start = ContinuousClock.now
      let grid = try OrderedGrid(relationship: relationship, of: object, request: request, in: context)
      let found = grid.page(at: query.position, size: size)
      let objects = try OrderedGrid.objects(at: found.places, like: request, in: context)
      let rows = try rows(of: objects, columns: columns, detail: detail, isHeavy: isHeavy, context: context)
      func place(_ direction: GridPosition.Direction, place: OrderedGrid.Place?) -> GridPosition? {
        place.map { GridPosition(direction, key: $0.id.key, value: .integer(Int64($0.number))) }
      }
      return GridPage(
        columns: columns,
        rows: rows,
        previous: found.hasPrevious ? place(.before, place: found.places.first) : nil,
        next: found.hasNext ? place(.after, place: found.places.last) : nil,
        statement: nil,
        duration: ContinuousClock.now - start
      )
    }
    let position = try checked(query, entity: entity, explored: explored, context: context)
    let pager = GridPager(
      request,
      sort: query.sort,
      position: position,
      isIndexed: query.sort.map { entity.hasIndex(of: $0.attribute) } ?? true
    )
    let start = ContinuousClock.now
    let found = try pager.objects(atMost: size, in: context)
    let rows = try rows(
      of: found.objects.map { ($0, nil) },
      columns: columns,
      detail: detail,
      isHeavy: isHeavy,
      context: context
    )
    let duration = ContinuousClock.now - start
    func place(_ direction: GridPosition.Direction, object: NSManagedObject?) -> GridPosition? {
      guard let object else { return nil }
      let attribute = query.sort.flatMap { entity.attributesByName[$0.attribute] }
      let value = attribute.flatMap { SortValue(value: object.value(forKey: $0.name), attribute: $0) }
      return GridPosition(direction, key: object.objectID.key, value: value)
    }
    let isBackward = position?.direction == .before
    let hasPrevious = isBackward ? found.isMore : position?.key != nil
    let hasNext = isBackward ? position?.key != nil : found.isMore
    return GridPage(
      columns: columns,
      rows: rows,
      previous: hasPrevious ? place(.before, object: found.objects.first) : nil,
      next: hasNext ? place(.after, object: found.objects.last) : nil,
      statement: detail == .summary ? try statement(pager, size: size, explored: explored) : nil,
      duration: duration
    )
  }

  /// - Parameter objects: the objects, and their positions if they are in the order of a relationship.
  private static func rows(
    of objects: [(object: NSManagedObject, number: Int?)],
    columns: [GridColumn],
    detail: GridDetail,
    isHeavy: Bool,
    context: NSManagedObjectContext
  ) throws -> [GridRow] {
    var reader = GridRowReader(columns: columns, detail: detail, context: context)
    return try objects.map { object, number in
      // A single one of these rows may have many megabytes.
      defer { if isHeavy { context.refresh(object, mergeChanges: false) } }
      return try reader.row(of: object, number: number)
    }
  }

  /// The query's position, with the sort value that the pager needs.
  static func checked(
    _ query: GridQuery,
    entity: NSEntityDescription,
    explored: ExploredStore,
    context: NSManagedObjectContext
  ) throws -> GridPosition? {
    guard let sort = query.sort else { return query.position }
    guard let attribute = entity.attributesByName[sort.attribute], isSortable(attribute) else {
      throw ExplorationFailure(
        code: .unsuitableProperty,
        problem: "\(query.entity) cannot be sorted by \(sort.attribute)",
        remedy: "choose an attribute that has a number, a date, a text or a UUID"
      )
    }
    guard let position = query.position, let key = position.key else { return query.position }
    if let value = position.value, value.fits(attribute) { return position }
    let row = try explored.object(entity, key: key, in: context)
    let value = row.value(forKey: attribute.name)
    return GridPosition(position.direction, key: key, value: SortValue(whole: value, attribute: attribute))
  }

  private static func statement(_ pager: GridPager, size: Int, explored: ExploredStore) throws
    -> ShownStatement?
  {
    guard
      let piece = pager.pieces.last(where: { $0.predicate == nil }) ?? pager.pieces.dropFirst().first
        ?? pager.pieces.first
    else { return nil }
    let request = pager.request(for: piece, limit: size + 1)
    let coordinator = explored.coordinator
    guard let explanation = try coordinator.explanation(of: request, in: piece.span, or: piece.beyond) else {
      return nil
    }
    return ShownStatement(
      sql: explanation.sql,
      bindings: explanation.bindings.map { $0.cut(to: longestLiteral) },
      plan: explanation.plan
    )
  }

  /// The columns of an entity: the attribute that names the objects, the other attributes, and the
  /// relationships, each group sorted by name.
  package static func columns(of entity: NSEntityDescription) -> [GridColumn] {
    let naming = ObjectNames.rule(for: entity).keyPaths.first
    let attributes = entity.attributesByName.values.sorted {
      ($0.name == naming ? 0 : 1, $0.name) < ($1.name == naming ? 0 : 1, $1.name)
    }
    let relationships = entity.relationshipsByName.values.sorted {
      ($0.isToMany ? 1 : 0, $0.name) < ($1.isToMany ? 1 : 0, $1.name)
    }
    return attributes.map { attribute in
      GridColumn(
        name: attribute.name,
        kind: .attribute(type: attribute.shownType),
        isSortable: isSortable(attribute),
        isNumber: attribute.isNumeric
      )
    }
      + relationships.map { relationship in
        let destination = relationship.destinationEntity?.name ?? ""
        return GridColumn(
          name: relationship.name,
          kind: relationship.isToMany ? .toMany(destination: destination) : .toOne(destination: destination),
          isSortable: false,
          isNumber: relationship.isToMany
        )
      }
  }

  private static func isSortable(_ attribute: NSAttributeDescription) -> Bool {
    !attribute.isTransient && AttributeKind(attribute.attributeType).storage.isOrdered
  }

  /// True if a row of the entity or of a subentity may be very large.
  static func hasLargeValues(_ entity: NSEntityDescription) -> Bool {
    let isLarge = entity.attributesByName.values.contains {
      [.binaryDataAttributeType, .transformableAttributeType].contains($0.attributeType)
    }
    return isLarge || entity.subentities.contains(where: hasLargeValues)
  }
}

extension SortValue {
  /// The complete sort value of a row, of any length.
  fileprivate init?(whole value: Any?, attribute: NSAttributeDescription) {
    if let text = value as? String {
      self = .text(text)
    } else {
      self.init(value: value, attribute: attribute)
    }
  }
}

extension NSEntityDescription {
  /// True if the model defines an index whose first element is the attribute.
  func hasIndex(of attribute: String) -> Bool {
    let indexed = indexes.compactMap { $0.elements.first?.propertyName }
    let unique = uniquenessConstraints.compactMap { $0.first as? String }
    return indexed.contains(attribute) || unique.contains(attribute)
      || superentity?.hasIndex(of: attribute) == true
  }
}
