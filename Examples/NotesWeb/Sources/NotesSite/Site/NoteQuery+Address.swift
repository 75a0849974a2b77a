import Foundation
import Hummingbird

extension NoteQuery {
  private struct Parameters: Decodable {
    var q: String?
    var category: String?
    var tag: String?
    var page: Int?
  }

  /// Reads the query of an address. A missing parameter does not restrict it.
  ///
  /// - Throws: `HTTPError`.
  init(_ request: Request, _ context: SiteContext) throws {
    let parameters = try request.uri.decodeQuery(as: Parameters.self, context: context)
    self.init(
      words: parameters.q?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "",
      category: parameters.category.flatMap { $0.isEmpty ? nil : $0 },
      tag: parameters.tag.flatMap { $0.isEmpty ? nil : $0 },
      page: min(max(parameters.page ?? 1, 1), 1_000_000)
    )
  }

  /// The query as the end of an address, with its question mark; empty if the query selects all notes.
  ///
  /// - Parameter also: Further parameters.
  func address(_ also: [(String, String)] = []) -> String {
    var parameters: [(String, String)] = []
    if !words.isEmpty { parameters.append(("q", words)) }
    if let category { parameters.append(("category", category)) }
    if let tag { parameters.append(("tag", tag)) }
    if page > 1 { parameters.append(("page", String(page))) }
    let text = (parameters + also).map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
    return text.isEmpty ? "" : "?\(text)"
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
  )

  func with(page: Int) -> NoteQuery { changed { $0.page = page } }

  /// The same query with another category, from its first page on.
  func with(category: String?) -> NoteQuery {
    changed {
      $0.category = category
      $0.page = 1
    }
  }

  /// The same query with another tag, from its first page on.
  func with(tag: String?) -> NoteQuery {
    changed {
      $0.tag = tag
      $0.page = 1
    }
  }

  private func changed(_ change: (inout NoteQuery) -> Void) -> NoteQuery {
    var query = self
    change(&query)
    return query
  }
}
