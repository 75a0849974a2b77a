import Foundation
import Hummingbird
import StoreExploration

extension BrowserPages {
  private struct Answer: Encodable {
    struct Completion: Encodable {
      let text: String
      let start: Int
      let end: Int
      let kind: String
      let detail: String
    }

    let completions: [Completion]
  }

  /// Returns the possible completions of a predicate at the cursor, for the box that shows them.
  func completions(_ entity: String, items: QueryItems) async throws -> Response {
    let assistant = try PredicateAssistant(entity: entity, in: explored.coordinator)
    let text = items["text"] ?? ""
    let cursor = items["cursor"].flatMap(Int.init) ?? text.utf16.count
    let found = await assistant.completions(of: text, at: min(max(cursor, 0), text.utf16.count))
    let answer = Answer(
      completions: found.map { completion in
        Answer.Completion(
          text: completion.text,
          start: completion.range.lowerBound,
          end: completion.range.upperBound,
          kind: completion.kind.rawValue,
          detail: completion.detail
        )
      }
    )
    return .json(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self))
  }
}
