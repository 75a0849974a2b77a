import Foundation
import Hummingbird
import RouterClient
import Testing

@testable import OrdersLoad

@Suite("The figures of the load test")
struct FiguresTests {
  private struct Answer: Decodable {
    struct Store: Decodable {
      var orders: Int
      var fileBytes: Int
      var logBytes: Int
      var answers: [String: Int]
    }

    var residentBytes: Int
    var openFiles: Int
    var threads: Int
    var processorMicroseconds: Int
    var coredata: Store
    var grdb: Store
  }

  @Test("they tell what each store answered and how large it is, and what the process uses")
  func figures() async throws {
    let folder = try TemporaryFolder()
    let server = try await LoadServer(folder: folder.url)
    try await server.createFirstOrders(FirstOrders(count: 3))
    let client = RouterClient(server.router())
    func figures() async throws -> Answer {
      let text = try await client.execute(uri: "/figures", method: .get).text
      return try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
    }
    let first = try await figures()
    for path in ["/coredata/orders/S-1", "/coredata/orders/S-9", "/grdb/orders/S-1"] {
      try await client.execute(uri: path, method: .get)
    }
    let second = try await figures()
    #expect(first.coredata.answers.isEmpty && first.grdb.answers.isEmpty)
    #expect(second.coredata.answers == ["200": 1, "404": 1])
    #expect(second.grdb.answers == ["200": 1])
    #expect(second.coredata.orders == 3 && second.grdb.orders == 3)
    for store in [second.coredata, second.grdb] { #expect(store.fileBytes > 0 && store.logBytes > 0) }
    #expect(second.residentBytes > 1_000_000)
    #expect(second.openFiles > 4 && second.threads > 1)
    #expect(second.processorMicroseconds > first.processorMicroseconds)
    try server.close()
  }
}
