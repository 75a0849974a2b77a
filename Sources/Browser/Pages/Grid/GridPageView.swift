import CoreData
import Foundation
import Hummingbird
import Predicates
import StoreEditing
import StoreExploration
import Texts

extension BrowserPages {
  static let rowsPerPage = 50

  /// Returns the page of a grid. A page with a wrong predicate shows the error and no rows.
  func gridPage(_ query: GridQuery, items: QueryItems) async throws -> Response {
    let entity = try explored.entity(query.entity)
    let grid = StoreGrid(explored)
    if !query.predicate.isEmpty, let problem = try problem(in: query) {
      let problem = GridProblem(problem, in: query.predicate)
      return .page(try render(query, entity: entity, page: nil, total: nil, problem: problem), status: .badRequest)
    }
    let patience = items["count"] == "exact" ? readLimit : countLimit
    let needsCount = query.position != nil
    // For every page but the first, the total is counted concurrently with the rows. The first page counts
    // afterwards, because a page that holds every row needs no count.
    async let counted = needsCount ? count(query, within: patience) : nil
    let page: GridPage
    do {
      page = try await grid.page(query, size: Self.rowsPerPage, within: readLimit)
    } catch let error where !query.predicate.isEmpty && Self.isOfPredicate(error) {
      let problem = GridProblem(error, in: query.predicate)
      return .page(try render(query, entity: entity, page: nil, total: nil, problem: problem), status: .badRequest)
    }
    uses.add(query.predicate.trimmingCharacters(in: .whitespacesAndNewlines), of: query.entity)
    let total: Int?
    if page.previous == nil, page.next == nil {
      total = page.rows.count
    } else if needsCount {
      total = await counted
    } else {
      total = await count(query, within: patience)
    }
    if let total, query.predicate.isEmpty, query.scope == nil { counts.add(total, of: query.entity) }
    return .page(try render(query, entity: entity, page: page, total: total, problem: nil))
  }

  /// Returns the number of all objects of a query; `nil` when counting takes too long, and the page then shows no
  /// total.
  private func count(_ query: GridQuery, within limit: Duration) async -> Int? {
    try? await StoreGrid(explored).count(query.fromStart, within: limit)
  }

  private func problem(in query: GridQuery) throws -> PredicateProblem? {
    guard !query.predicate.allSatisfy(\.isWhitespace) else { return nil }
    return try PredicateAssistant(entity: query.entity, in: explored.coordinator).problem(in: query.predicate)
  }

  private static func isOfPredicate(_ error: any Error) -> Bool {
    if let failure = error as? ExplorationFailure { return failure.code == .wrongPredicate }
    if error is PredicateFormatError || error is PredicateEvaluationError { return true }
    return (error as NSError).domain == NSCocoaErrorDomain
  }

  private func render(
    _ query: GridQuery,
    entity: NSEntityDescription,
    page: GridPage?,
    total: Int?,
    problem: GridProblem?
  ) throws -> String {
    let shownName = VisibleText(line: query.entity, atMost: 200).description
    let columns = page?.columns ?? StoreGrid.columns(of: entity, choice: query.columns)
    let showsEntity = !entity.subentities.isEmpty
    let sharedNames = Distinction.sharedNames(of: page?.rows ?? [])
    let marks = writing?.session.marks
    var fields = GridPageFields(
      entityName: shownName,
      entityAddress: address.entity(query.entity),
      modelAddress: address.model(query.entity),
      orphans: address.entity(query.entity) + "/orphans",
      predicate: query.predicate,
      completions: address.entity(query.entity) + "/completions.json",
      creation: writing == nil ? nil : address.creation(query.entity),
      parentName: entity.superentity?.name.map { VisibleText(line: $0, atMost: 200).description },
      parentAddress: entity.superentity?.name.map { address.entity($0) },
      total: total.map(Self.number),
      countAddress: total == nil && page != nil ? address.grid(query.fromStart, part: "count.json") : nil,
      exactCount: total == nil && page != nil
        ? address.grid(query) + (address.grid(query).contains("?") ? "&" : "?") + "count=exact" : nil,
      isAbstract: entity.isAbstract,
      hasPredicate: !query.predicate.isEmpty,
      showsEntity: showsEntity,
      hasPlaces: StoreGrid(explored).hasPlaces(query),
      isEmpty: page?.rows.isEmpty ?? false,
      countsOne: total == 1,
      problem: problem?.fields(in: frame),
      scope: query.scope.map { scopeFields($0, query: query) },
      facets: facetLinks(query),
      hiddenItems: hiddenItems(of: query),
      columns: columns.map { header($0, query: query) },
      rows: (page?.rows ?? []).map {
        row(
          $0,
          columns: columns,
          query: query,
          showsEntity: showsEntity,
          sharedNames: sharedNames,
          mark: stagedMark(of: $0.link, marks: marks)
        )
      },
      lastUses: lastUses(query)
    )
    if let page {
      fields.hasPages = page.previous != nil || page.next != nil
      fields.statement = Self.statementFields(page)
      let range = RowRange(query: query, page: page, total: total)
      fields.rangeWords = range.words
      func place(_ position: GridPosition?, firstNumber: Int? = nil) -> String {
        var other = query
        other.position = position
        other.firstNumber = firstNumber
        return address.grid(other)
      }
      if let previous = page.previous {
        fields.firstPage = place(nil)
        fields.previousPage = place(previous, firstNumber: range.previous(size: Self.rowsPerPage))
      }
      if let next = page.next {
        fields.nextPage = place(next, firstNumber: range.next)
        fields.lastPage = place(GridPosition(.before, key: nil, value: nil))
      }
      fields.seedAddress = address.grid(query.fromStart, part: "seed")
      fields.exports = ExportFormat.allCases.map { format in
        ExportFields(
          exportName: format.rawValue.uppercased(),
          exportAddress: address.grid(query.fromStart, part: "export.\(format.rawValue)")
        )
      }
    }
    addNewStaged(query.entity, to: &fields)
    addFinding(to: &fields, query: query, entity: entity, shown: columns, isWrong: problem != nil)
    return frame.page(fields, title: shownName, tab: .entities, entity: query.entity)
  }

  /// Returns the items of the address that the form of the predicate keeps.
  private func hiddenItems(of query: GridQuery) -> [FormItemFields] {
    var kept = query.fromStart
    kept.predicate = ""
    return gridItems(of: kept)
  }

  private func header(_ column: GridColumn, query: GridQuery) -> GridColumnFields {
    let isCurrent = query.sort?.attribute == column.name
    let isAscending = query.sort?.isAscending ?? true
    var sorted = query.fromStart
    sorted.sort = GridQuery.Sort(attribute: column.name, isAscending: isCurrent ? !isAscending : true)
    return GridColumnFields(
      columnName: VisibleText(line: column.name, atMost: 100).description,
      columnType: VisibleText(line: column.typeWords, atMost: 100).description,
      menuAddress: columnAddress(column.name, query: query),
      sortAddress: column.isSortable ? address.grid(sorted) : nil,
      ariaSort: isCurrent ? (isAscending ? "ascending" : "descending") : nil,
      sortMark: isCurrent ? (isAscending ? "▲" : "▼") : nil,
      columnClass: Self.columnClass(column, query: query)
    )
  }

  /// - Parameter sharedNames: the names that different destinations on the page have.
  private func row(
    _ row: GridRow,
    columns: [GridColumn],
    query: GridQuery,
    showsEntity: Bool,
    sharedNames: Set<String>,
    mark: String?
  ) -> GridRowFields {
    GridRowFields(
      rowAddress: address.object(row.link, from: GridOrigin(query)),
      rowAnchor: PageAddress.rowAnchor(row.link.key),
      rowKey: "\(row.link.key)",
      rowPlace: row.number.map(Self.number),
      rowEntity: showsEntity ? VisibleText(line: row.link.entity, atMost: 100).description : nil,
      rowMark: mark,
      cells: zip(columns, row.cells).map {
        cell($1, column: $0, of: row.link, query: query, sharedNames: sharedNames)
      }
    )
  }

  private func cell(
    _ cell: GridCell,
    column: GridColumn,
    of link: ObjectLink,
    query: GridQuery,
    sharedNames: Set<String>
  ) -> GridCellFields {
    var fields = GridCellFields(
      cellClass: Self.columnClass(column, query: query),
      cellFilter: Self.filterName(of: cell, column, of: link)
    )
    switch cell {
    case .absent: break
    case .unreadable(let reason): fields.cellProblem = frame.sentence(reason, atMost: 300)
    case .value(let value):
      if value == .none { fields.cellIsNone = true } else { fields.cellText = Self.cellText(value) }
      fields.cellImage = thumbnail(of: value, column, of: link)
    case .object(let destination):
      fields.cellText = destination.name
      fields.cellAddress = address.object(destination)
      fields.cellNote = sharedNames.contains(destination.name) ? Distinction.words(of: destination) : nil
    case .count(let count, let isCapped):
      fields.cellText = Self.number(count) + (isCapped ? "+" : "")
      guard count > 0, case .toMany(let destination) = column.kind else { break }
      var related = GridQuery(entity: destination)
      related.scope = GridQuery.Scope(
        entity: link.entity,
        key: link.key,
        owner: link.entity,
        relationship: column.name
      )
      fields.cellAddress = address.grid(related)
    }
    return fields
  }

  private static func cellText(_ value: ShownValue) -> String {
    switch value {
    case .data(_, let count): bytes(count)
    case .text(""): "“”"
    default: value.plainText
    }
  }

  /// Returns a number of bytes in a suitable unit.
  static func bytes(_ count: Int) -> String {
    if count < 1_000 { return count == 1 ? "1 byte" : "\(count) bytes" }
    var (size, unit) = (Double(count) / 1_000, "kB")
    for larger in ["MB", "GB"] where size >= 1_000 { (size, unit) = (size / 1_000, larger) }
    return "\((size * 10).rounded() / 10) \(unit)"
  }

  func scopeFields(_ scope: GridQuery.Scope, query: GridQuery) -> ScopeFields {
    var without = query.fromStart
    without.scope = nil
    let object = ObjectLink(entity: scope.entity, key: scope.key)
    var unsorted = query.fromStart
    unsorted.sort = nil
    let canBeOrdered = query.sort != nil && StoreGrid(explored).hasPlaces(unsorted)
    return ScopeFields(
      scopeRelationship: VisibleText(line: "\(scope.owner).\(scope.relationship)", atMost: 200).description,
      scopeTitle: object.name,
      scopeAddress: address.object(object),
      scopeWithout: address.grid(without),
      scopeOrder: canBeOrdered ? address.grid(unsorted) : nil
    )
  }

  private func lastUses(_ query: GridQuery) -> [PredicateUseFields] {
    uses.last(of: query.entity).filter { $0 != query.predicate }.map { predicate in
      var other = query.fromStart
      other.predicate = predicate
      return PredicateUseFields(
        useText: VisibleText(line: predicate, atMost: 200).description,
        useAddress: address.grid(other)
      )
    }
  }

  private static func statementFields(_ page: GridPage) -> StatementFields {
    let (seconds, attoseconds) = page.duration.components
    let milliseconds = Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    return StatementFields(
      milliseconds: milliseconds < 10
        ? "\((milliseconds * 10).rounded() / 10)" : number(Int(milliseconds.rounded())),
      sql: page.statement.map { VisibleText(lines: $0.sql).description },
      bindings: page.statement.flatMap {
        $0.bindings.isEmpty ? nil : VisibleText(line: $0.bindings.joined(separator: ", ")).description
      },
      plan: page.statement.map { VisibleText(lines: $0.plan.joined(separator: "\n")).description }
    )
  }
}
