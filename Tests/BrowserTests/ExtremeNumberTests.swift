import HTTPTestClient
import HTTPTypes
import Testing

@testable import Browser

@Suite("Extreme numbers in addresses")
struct ExtremeNumberTests {
  private static let paths = [
    "/entity/Note?after=*&at=*", "/entity/Note?before=*&at=*",
    "/entity/Note?sort=rating&after=*&value=i*&at=*",
    "/entity/Note?before=end&at=*", "/entity/Note/*", "/entity/Note/*/next", "/entity/Note/*/seed",
    "/history?before=*",
    "/history?entity=Note&key=*", "/history/transaction/*?offset=*", "/history/transaction/1?offset=*",
    "/diagram?entity=Note&distance=*", "/entity/Note/completions.json?text=title&cursor=*",
    "/entity/Tag?of=Tag&key=*&owner=Note&relationship=tags&at=*",
  ]

  @Test(
    "An address with the greatest or the smallest number gets an answer",
    arguments: paths,
    [Int.max, Int.max - 1, Int.min, Int.min + 1]
  )
  func answer(path: String, number: Int) async throws {
    let store = try BrowsedStore()
    let response = try await store.get(path.replacing("*", with: "\(number)"))
    #expect(response.status.code < 500, "\(path)")
  }
}
