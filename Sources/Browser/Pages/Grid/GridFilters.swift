import CoreData
import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  /// Returns the page of a grid, or redirects to a grid with the predicate of a search or of a clicked value. The
  /// predicate is then in the address and in the predicate box.
  func grid(_ entity: String, items: QueryItems) async throws -> Response {
    var query = GridQuery(entity: entity, items: items)
    query.columns = columnUses.choice(of: entity, items: items)
    if let narrowed = try await narrowed(query, items: items) { return .seeOther(address.grid(narrowed)) }
    return try await gridPage(query, items: items)
  }

  private func narrowed(_ query: GridQuery, items: QueryItems) async throws -> GridQuery? {
    if let search = items["search"] {
      return query.narrowed(by: try TextSearch(try explored.entity(query.entity)).predicate(search))
    }
    guard let (place, isOnly) = items["only"].map({ ($0, true) }) ?? items["without"].map({ ($0, false) })
    else { return nil }
    let parts = place.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let key = Int64(parts[0]), key > 0 else {
      throw HTTPError(.badRequest, message: "The address names no value of an object.")
    }
    let filter = try await StoreObjects(explored).filter(
      by: String(parts[1]),
      entity: query.entity,
      key: key,
      within: readLimit
    )
    guard let filter else {
      throw HTTPError(.unprocessableContent, message: "A predicate has no words for this value.")
    }
    return query.narrowed(by: isOnly ? filter.only : filter.without)
  }

  /// Adds the fields of a grid's page for users who do not write predicates.
  ///
  /// - Parameter isWrong: true for a wrong predicate, which a search does not keep.
  func addFinding(
    to fields: inout GridPageFields,
    query: GridQuery,
    entity: NSEntityDescription,
    shown: [GridColumn],
    isWrong: Bool
  ) {
    var query = query
    if isWrong { query.predicate = "" }
    let search = TextSearch(entity)
    let hidden = StoreGrid.columns(of: entity).count - shown.count
    fields.searchedTexts =
      search.attributes.isEmpty
      ? nil : VisibleText(line: search.attributes.joined(separator: ", "), atMost: 300).description
    fields.isSearchAdded = !query.predicate.allSatisfy(\.isWhitespace)
    fields.gridItems = gridItems(of: query)
    fields.columnsAddress = address.grid(query.fromStart, part: "columns")
    fields.duplicatesAddress = address.entity(query.entity) + "/duplicates"
    fields.hiddenColumns = hidden > 0 ? Self.number(hidden) : nil
    fields.columnsOf =
      VisibleText(line: "\(explored.store.identifier ?? "")/\(query.entity)", atMost: 300).description
    fields.chosenColumns = query.columns.map { PageAddress.encoded($0.description) }
  }

  /// Returns the items of a grid's address that a form keeps.
  func gridItems(of query: GridQuery) -> [FormItemFields] {
    PageAddress.items(of: query.fromStart).map { FormItemFields(gridItemName: $0.0, gridItemValue: $0.1) }
  }

  /// Returns the name of a cell's value in the address of a filter; `nil` for a value that a predicate cannot express.
  static func filterName(of cell: GridCell, _ column: GridColumn, of link: ObjectLink) -> String? {
    switch (cell, column.kind) {
    case (.value(.data), _), (.value(.fields), _), (.value(.described), _): nil
    case (.value, .attribute), (.value(.none), .toOne), (.object, .toOne): "\(link.key).\(column.name)"
    default: nil
    }
  }

  /// The size of the largest picture that a grid shows, in bytes. The grid reads each picture of a page as a whole.
  private static let largestThumbnail = 2_000_000

  /// Returns the address of a picture that a cell shows as a thumbnail; `nil` for a value that is not a picture or
  /// is too large.
  func thumbnail(of value: ShownValue, _ column: GridColumn, of link: ObjectLink) -> String? {
    guard case .data(let beginning, let count) = value, count <= Self.largestThumbnail,
      DataContents.imageType(of: beginning) != nil
    else { return nil }
    return address.value(column.name, of: link)
  }
}

/// The range of a page's rows in a grid, such as 51 to 100 of 120.
struct RowRange {
  private let first: Int?
  private let count: Int
  private let total: Int?

  init(query: GridQuery, page: GridPage, total: Int?) {
    count = page.rows.count
    self.total = total
    if page.previous == nil {
      first = 1
    } else if page.next == nil, let total {
      first = max(1, total - page.rows.count + 1)
    } else {
      first = query.firstNumber
    }
  }

  /// The range as text; `nil` where the number of rows before the page is not known.
  var words: String? {
    guard let first, count > 0 else { return nil }
    let rows = "\(BrowserPages.number(first)) to \(BrowserPages.number(first + count - 1))"
    return rows + (total.map { " of \(BrowserPages.number($0))" } ?? "")
  }

  /// Returns the number of the previous page's first row.
  func previous(size: Int) -> Int? { first.map { max(1, $0 - size) } }

  /// The number of the next page's first row.
  var next: Int? { first.map { $0 + count } }
}
