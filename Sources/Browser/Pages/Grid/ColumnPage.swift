import CoreData
import Foundation
import HTTPTypes
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  /// Returns the address of the page of a grid's column.
  func columnAddress(_ column: String, query: GridQuery) -> String {
    address.entity(query.entity) + "/filter"
      + PageAddress.query(PageAddress.items(of: query.fromStart) + [("by", column)])
  }

  /// Returns the CSS classes of a column's cells.
  static func columnClass(_ column: GridColumn, query: GridQuery) -> String? {
    let width = query.columns?.columns.first { $0.name == column.name }?.width ?? .normal
    let classes = (column.isNumber ? ["number"] : []) + (width == .normal ? [] : ["column-\(width.rawValue)"])
    return classes.isEmpty ? nil : classes.joined(separator: " ")
  }

  /// Returns the page of a column with its filters, order, position and width, or redirects to the grid that its
  /// form asks for. A script shows a part of the page in the grid.
  func columnPage(_ entity: String, items: QueryItems) async throws -> Response {
    var query = GridQuery(entity: entity, items: items).fromStart
    query.columns = columnUses.choice(of: entity, items: items)
    let filter = try PropertyFilter(items["by"] ?? "", of: try explored.entity(entity))
    var problem: String?
    if let condition = Self.condition(items) {
      do {
        return .seeOther(address.grid(query.narrowed(by: try filter.predicate(condition))))
      } catch let failure as ExplorationFailure where failure.code == .wrongPredicate {
        problem = frame.sentence(failure.description)
      }
    }
    let fields = try columnFields(filter, query: query, items: items, problem: problem)
    let status: HTTPResponse.Status = problem == nil ? .ok : .badRequest
    if items["part"] != nil { return .page(Templates.part(fields), status: status) }
    let title = "\(VisibleText(line: entity, atMost: 200)): \(VisibleText(line: filter.name, atMost: 200))"
    return .page(frame.page(fields, title: title, tab: .entities, entity: entity), status: status)
  }

  /// Returns the condition that a form asks for; `nil` where it does not ask for any yet.
  private static func condition(_ items: QueryItems) -> PropertyFilter.Condition? {
    let value = items["value"] ?? ""
    switch items["do"] {
    case "none": return .isNone
    case "some": return .isSomething
    case "true": return .isTrue
    case "false": return .isFalse
    case "between": return .between(items["least"], items["most"])
    case "text":
      switch items["condition"] {
      case "excludes": return .excludes(value)
      case "begins": return .begins(value)
      case "equals": return .equals(value)
      default: return .contains(value)
      }
    case "equals": return .equals(value)
    default: return nil
    }
  }

  private func columnFields(_ filter: PropertyFilter, query: GridQuery, items: QueryItems, problem: String?)
    throws -> ColumnPageFields
  {
    let entity = try explored.entity(query.entity)
    let column = StoreGrid.columns(of: entity).first { $0.name == filter.name }
    let facets = facetLinks(query, by: filter.name)
    func sorted(_ isAscending: Bool) -> String? {
      guard column?.isSortable == true else { return nil }
      var query = query
      query.sort = GridQuery.Sort(attribute: filter.name, isAscending: isAscending)
      return address.grid(query)
    }
    return ColumnPageFields(
      entityName: VisibleText(line: query.entity, atMost: 200).description,
      gridAddress: address.grid(query),
      columnName: VisibleText(line: filter.name, atMost: 200).description,
      columnValue: filter.name,
      filterAddress: address.entity(query.entity) + "/filter",
      columnsAddress: address.entity(query.entity) + "/columns",
      value: items["value"] ?? "",
      least: items["least"] ?? "",
      most: items["most"] ?? "",
      inputType: filter.kind == .date ? "date" : "text",
      inputMode: filter.kind == .date ? nil : "decimal",
      ascending: sorted(true),
      descending: sorted(false),
      facetAddress: facets,
      problem: problem,
      isText: filter.kind == .text,
      isRange: [.number, .objects, .date].contains(filter.kind),
      isBoolean: filter.kind == .boolean,
      isIdentifier: filter.kind == .identifier || filter.kind == .address,
      isDate: filter.kind == .date,
      gridItems: gridItems(of: query)
    )
  }

  /// Returns the address of the counts by a property; `nil` where the property has no values to count.
  private func facetLinks(_ query: GridQuery, by property: String) -> String? {
    guard let facets = try? Facets(query, in: explored), facets.properties.contains(property) else { return nil }
    var kept = query.fromStart
    kept.sort = nil
    return address.entity(query.entity) + "/facet"
      + PageAddress.query(PageAddress.items(of: kept) + [("by", property)])
  }

  /// Returns the page of a grid's columns, or carries out the change of one of its buttons.
  func columnsPage(_ entity: String, items: QueryItems) throws -> Response {
    let description = try explored.entity(entity)
    var query = GridQuery(entity: entity, items: items).fromStart
    query.columns = columnUses.choice(of: entity, items: items)
    if let name = items["column"], let word = items["do"], let change = GridColumnChoice.Change(word) {
      guard description.propertiesByName[name] != nil else {
        throw HTTPError(.badRequest, message: "The entity has no such column.")
      }
      var choice = query.columns ?? GridColumnChoice(standardOf: description)
      choice.change(name, change: change)
      query.columns = choice
      columnUses.remember(choice, of: entity)
      return .seeOther(items["then"] == "grid" ? address.grid(query) : address.grid(query, part: "columns"))
    }
    let choice = query.columns ?? GridColumnChoice(standardOf: description)
    let shown = StoreGrid.columns(of: description, choice: choice)
    let hidden = StoreGrid.columns(of: description).filter { column in !shown.contains(column) }
    var standard = query
    standard.columns = nil
    let mark = address.grid(standard).contains("?") ? "&" : "?"
    let fields = ColumnsPageFields(
      entityName: VisibleText(line: entity, atMost: 200).description,
      gridAddress: address.grid(query),
      standardAddress: address.grid(standard) + "\(mark)\(ColumnUses.itemName)=\(ColumnUses.standard)",
      columnsAddress: address.entity(entity) + "/columns",
      shownColumns: shown.enumerated().map { index, column in
        columnRow(column, choice: choice, isFirst: index == 0, isLast: index == shown.count - 1)
      },
      hiddenColumns: hidden.map { columnRow($0, choice: choice, isFirst: true, isLast: true) },
      gridItems: gridItems(of: query)
    )
    let title = "Columns of \(VisibleText(line: entity, atMost: 200))"
    return .page(frame.page(fields, title: title, tab: .entities, entity: entity))
  }

  private func columnRow(_ column: GridColumn, choice: GridColumnChoice, isFirst: Bool, isLast: Bool)
    -> ColumnChoiceFields
  {
    let width = choice.columns.first { $0.name == column.name }?.width ?? .normal
    return ColumnChoiceFields(
      columnName: VisibleText(line: column.name, atMost: 200).description,
      columnValue: column.name,
      columnType: VisibleText(line: column.typeWords, atMost: 200).description,
      isFirst: isFirst,
      isLast: isLast,
      widths: GridColumnChoice.Width.allCases.map { each in
        ColumnWidthFields(width: each.rawValue, widthIsCurrent: each == width)
      }
    )
  }
}
