import CoreData
import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  /// The time that a seed may take.
  private static let seedLimit = Duration.seconds(60)
  private static let mostOmissions = 200

  /// The page of what a seed of a grid's objects has, and what it cannot have, before it is saved.
  func seedExportPage(_ query: GridQuery) async throws -> Response {
    let query = query.fromStart
    let seed = try await StoreSeeds(explored).seed(of: query, within: Self.seedLimit)
    let name = VisibleText(line: query.entity, atMost: 200).description
    var fields: TemplateFields = [
      "entityName": name,
      "entityAddress": address.entity(query.entity),
      "gridAddress": address.grid(query),
      "seedPredicate": query.predicate.isEmpty
        ? nil : VisibleText(line: query.predicate, atMost: 500).description,
      "counts": seed.counts.map { entity, count -> TemplateFields in
        [
          "countEntity": VisibleText(line: entity, atMost: 200).description,
          "countNumber": Self.number(count),
        ]
      },
      "isEmpty": seed.counts.isEmpty,
      "fileAddress": address.grid(query, "export.seed.json"),
      "fileSize": Self.bytes(seed.text.count),
      "hasOmissions": !seed.omissions.isEmpty,
      "omissions": seed.omissions.prefix(Self.mostOmissions).map { omission -> TemplateFields in
        ["omission": VisibleText(line: omission, atMost: 500).description]
      },
      "untold": seed.omissions.count > Self.mostOmissions
        ? Self.number(seed.omissions.count - Self.mostOmissions) : nil,
    ]
    if let scope = query.scope { fields["scope"] = scopeFields(scope, query) }
    return .page(
      frame.page("seedexport", title: "\(name) as a seed", tab: .entities, entity: query.entity, fields)
    )
  }

  /// The seed of a grid's objects as a file to be saved.
  func seedFile(_ query: GridQuery) async throws -> Response {
    let seed = try await StoreSeeds(explored).seed(of: query.fromStart, within: Self.seedLimit)
    var response = Response.bytes(seed.text, type: "application/json; charset=utf-8")
    response.headers[.contentDisposition] =
      "attachment; filename=\"\(Self.fileName(of: query.entity)).seed.json\""
    return response
  }
}
