import CoreData
import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  private static let mostBars = 400

  /// Returns the number of a grid's objects for each value of a property, as a page or as a part for a script.
  func facetPage(_ query: GridQuery, items: QueryItems) async throws -> Response {
    let entity = try explored.entity(query.entity)
    let property = items["by"] ?? ""
    let facets = try Facets(query, in: explored)
    let facet = try await facets.facet(by: property, top: 40, within: readLimit)
    let name = VisibleText(line: entity.name ?? "", atMost: 200).description
    let values = facet.values.map { value($0, facet: facet, query: query) }
    let fields = FacetPageFields(
      entityName: name,
      entityAddress: address.entity(query.entity),
      gridAddress: address.grid(query.fromStart),
      facetProperty: VisibleText(line: property, atMost: 200).description,
      facetTotal: Self.number(facet.totalCount),
      facetWords: Self.words(of: facet.kind),
      facetPredicate: query.predicate.isEmpty
        ? nil : VisibleText(line: query.predicate, atMost: 500).description,
      chart: chart(of: facet).map { EscapedText(markup: $0) },
      scope: query.scope.map { scopeFields($0, query: query) },
      values: values + rest(of: facet, query: query)
    )
    if items["part"] != nil { return .page(Templates.part(fields)) }
    return .page(frame.page(fields, title: "\(name) by \(property)", tab: .entities, entity: query.entity))
  }

  private static func words(of kind: Facet.Kind) -> String {
    switch kind {
    case .values: "the most frequent values"
    case .orderedValues: "by value"
    case .intervals(let width):
      "intervals of \(width == width.rounded() && abs(width) < 1e15 ? "\(Int(width))" : "\(width)")"
    case .dates(let unit): "by \(unit.rawValue), in UTC"
    }
  }

  private func value(_ value: Facet.Value, facet: Facet, query: GridQuery) -> FacetValueFields {
    row(
      VisibleText(line: value.label, atMost: 200).description,
      count: value.count,
      of: facet,
      predicate: value.predicate,
      query: query
    )
  }

  /// Returns the rows for the objects without a value and for those with other values.
  private func rest(of facet: Facet, query: GridQuery) -> [FacetValueFields] {
    var rows: [FacetValueFields] = []
    if facet.hasOthers {
      rows.append(row("other values", count: facet.otherCount, of: facet, predicate: nil, query: query))
    }
    if facet.nullCount > 0 {
      rows.append(row("none", count: facet.nullCount, of: facet, predicate: facet.nullPredicate, query: query))
    }
    return rows
  }

  private func row(
    _ label: String,
    count: Int,
    of facet: Facet,
    predicate: String?,
    query: GridQuery
  ) -> FacetValueFields {
    let share = facet.totalCount > 0 ? Double(count) / Double(facet.totalCount) : 0
    return FacetValueFields(
      valueLabel: label.isEmpty ? "“”" : label,
      valueCount: Self.number(count),
      valueShare: "\((share * 1_000).rounded() / 10)",
      valueAddress: predicate.map { address.grid(query.narrowed(by: $0)) }
    )
  }

  /// Returns a chart with a column for each interval, if the values have an order.
  private func chart(of facet: Facet) -> String? {
    switch facet.kind {
    case .values, .orderedValues: return nil
    case .intervals, .dates: break
    }
    let values = facet.values.prefix(Self.mostBars)
    guard values.count > 1, let most = values.map(\.count).max(), most > 0 else { return nil }
    let width = 100 / Double(values.count)
    let gap = min(width * 0.15, 0.3)
    let bars = values.enumerated().map { index, value in
      let height = value.count == 0 ? 0 : max(1, 100 * Double(value.count) / Double(most))
      let label = EscapedText(VisibleText(line: value.label, atMost: 200).description).renderText
      return """
        <rect x="\(Double(index) * width + gap)%" y="\(100 - height)%" width="\(width - 2 * gap)%" \
        height="\(height)%"><title>\(label): \(Self.number(value.count))</title></rect>
        """
    }
    return "<svg class=\"columns\" aria-hidden=\"true\">\(bars.joined())</svg>"
  }

  /// Returns the properties of an entity that objects can be counted by, with the addresses of the counts.
  func facetLinks(_ query: GridQuery) -> [FacetLinkFields] {
    guard let facets = try? Facets(query, in: explored) else { return [] }
    var kept = query.fromStart
    kept.sort = nil
    return facets.properties.map { property in
      let items = PageAddress.items(of: kept) + [("by", property)]
      return FacetLinkFields(
        facetName: VisibleText(line: property, atMost: 100).description,
        facetAddress: address.entity(query.entity) + "/facet" + PageAddress.query(items)
      )
    }
  }
}

extension GridQuery {
  /// Returns the query with an additional predicate, from the first row.
  func narrowed(by other: String) -> GridQuery {
    var query = fromStart
    query.predicate = ExplorationPredicate.both(predicate, other)
    return query
  }
}
