import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  /// The time that the numbers of a list of entities may take, which nobody waits for.
  private static let listLimit = Duration.seconds(3)

  /// The numbers of objects of all entities, for a script that shows them beside the names.
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

  /// The entities whose names have a text in them; all for none.
  func entities(named text: String?) -> [CatalogueEntity] {
    guard let text, !text.isEmpty else { return catalogue.entities }
    return catalogue.entities.filter {
      $0.name.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }
  }

  /// The page with the link to another page that can be sent to somebody.
  ///
  /// - Throws: an answer that there is no such page, where the pages are part of another server.
  func linkPage(_ request: Request) throws -> Response {
    guard let links = frame.links else {
      throw HTTPError(.notFound, message: "Links are made by the server that these pages are part of.")
    }
    let target = links.checked(request.queryItems["to"] ?? address.home, below: address.base)
    let fields: TemplateFields = [
      "link":
        "http://\(request.head.authority ?? "127.0.0.1")\(links.path(to: String(target.dropFirst(address.base.count))))",
      "targetAddress": target,
      "isLasting": links.isLasting,
      "isWriting": writing != nil,
    ]
    return .page(frame.page("link", title: "Link to a page", tab: nil, content: fields))
  }
}
