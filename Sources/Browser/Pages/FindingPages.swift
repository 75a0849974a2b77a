import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  /// The time limit for all counts in the list of entities. The page does not wait for them.
  private static let listLimit = Duration.seconds(3)

  /// Returns the number of objects of each entity, for a script that shows them next to the names.
  func allCounts() async -> Response {
    var known = counts.all()
    if catalogue.entities.contains(where: { known[$0.name] == nil }) {
      known = await catalogue.counts(within: Self.listLimit)
      for (entity, count) in known { counts.add(count, of: entity) }
    }
    let texts = known.mapValues(Self.number)
    let text = (try? JSONEncoder().encode(texts)) ?? Data("{}".utf8)
    return .json(String(decoding: text, as: UTF8.self))
  }

  /// Returns the entities whose names contain a text, or all entities for an empty text.
  func entities(named text: String?) -> [CatalogueEntity] {
    guard let text, !text.isEmpty else { return catalogue.entities }
    return catalogue.entities.filter {
      $0.name.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }
  }

  /// Returns the page with a link to another page, which the user can send to another person.
  ///
  /// - Throws: a response with the status 404 where the pages are part of another server.
  func linkPage(_ request: Request) throws -> Response {
    guard let links = frame.links else {
      throw HTTPError(.notFound, message: "Links are made by the server that these pages are part of.")
    }
    let target = links.checked(request.queryItems["to"] ?? address.home, below: address.base)
    let fields = LinkPageFields(
      link:
        "http://\(request.head.authority ?? "127.0.0.1")\(links.path(to: String(target.dropFirst(address.base.count))))",
      targetAddress: target,
      isLasting: links.isLasting
    )
    return .page(frame.page(fields, title: "Link to a page", tab: nil))
  }
}
