import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  /// Returns the page of all entities, with the counts that are available quickly. A script adds the slower ones.
  func cataloguePage(_ items: QueryItems) async throws -> Response {
    let isPatient = items["counts"] == "all"
    let counts = await catalogue.counts(within: isPatient ? readLimit : countLimit)
    for (entity, count) in counts { self.counts.add(count, of: entity) }
    let rows = entities(named: items["find"]).map { entity in
      CatalogueRowFields(
        name: VisibleText(line: entity.name, atMost: 200).description,
        entityAddress: address.entity(entity.name),
        modelAddress: address.model(entity.name),
        depth: "\(min(entity.depth, 4))",
        countAddress: address.grid(GridQuery(entity: entity.name), part: "count.json"),
        attributes: "\(entity.attributes.count)",
        relationships: "\(entity.relationships.count)",
        parent: entity.parent.map { VisibleText(line: $0, atMost: 200).description },
        count: counts[entity.name].map(Self.number),
        isAbstract: entity.isAbstract
      )
    }
    let isComplete = catalogue.entities.allSatisfy { counts[$0.name] != nil }
    return .page(
      frame.page(
        CataloguePageFields(
          entityCount: Self.number(catalogue.entities.count),
          found: items["find"].map { VisibleText(line: $0, atMost: 200).description },
          seedAddress: writing == nil ? nil : address.seed,
          allCounts: isComplete ? nil : address.home + "?counts=all",
          isOneEntity: catalogue.entities.count == 1,
          isNothingFound: rows.isEmpty && items["find"] != nil,
          rows: rows
        ),
        title: "Entities",
        tab: .entities
      )
    )
  }

  /// Returns the number of a query's objects, for a script that adds it to a page.
  func count(_ query: GridQuery) async throws -> Response {
    let count = try await StoreGrid(explored).count(query, within: readLimit)
    return .json(#"{"count":\#(count),"text":"\#(Self.number(count))"}"#)
  }

  /// Returns a number with its digits in groups of three.
  static func number(_ number: Int) -> String {
    var text = ""
    for (index, digit) in "\(abs(number))".reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }
}
