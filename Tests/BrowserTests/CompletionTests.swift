import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@Suite("Completions of a predicate")
struct CompletionTests {
  private struct Answer: Decodable {
    struct Completion: Decodable {
      let text: String
      let start: Int
      let end: Int
    }

    let completions: [Completion]
  }

  @Test("Completions replace the word at the cursor by keys of the entity")
  func keys() async throws {
    let store = try BrowsedStore()
    let response = try await store.get("/entity/Note/completions.json?text=rat+%3D%3D+1&cursor=3")
    let answer = try JSONDecoder().decode(Answer.self, from: Data(response.body.readableBytesView))
    let first = try #require(answer.completions.first)
    #expect(first.text == "rating" && first.start == 0 && first.end == 3)
  }

  @Test(
    "Completions of any text at any cursor position are a valid response",
    arguments: ["", "'", "((((", "%F0%9F%8D%84", "%00", "SUBQUERY(tags,+$t,+", "rating+%3D%3D+"],
    ["", "0", "-1", "99999999999", "1e9", "x", "2"]
  )
  func anyText(text: String, cursor: String) async throws {
    let store = try BrowsedStore()
    let response = try await store.get("/entity/Note/completions.json?text=\(text)&cursor=\(cursor)")
    #expect(response.status == .ok)
  }
}
