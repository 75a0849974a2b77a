import Foundation
import GRDB
import Hummingbird
import OrderService
import RouterClient
import Testing

@testable import OrdersLoad

@Suite("Both stores of the load test")
struct BothStoresTests {
  /// A request to both stores, without their prefixes.
  struct Call: Sendable {
    var method: HTTPRequest.Method
    var path: String
    var body: String?
  }

  private static let calls = [
    Call(method: .get, path: "/health"),
    Call(method: .get, path: "/orders/A-1"),
    Call(method: .post, path: "/orders", body: order("A-1", 1, 2, 3)),
    Call(method: .post, path: "/orders", body: order("A-1", 4)),
    Call(method: .post, path: "/orders", body: order("A-2", 4, 5)),
    Call(method: .post, path: "/orders", body: order("A-3", 999)),
    Call(method: .post, path: "/orders", body: rare("A-4")),
    Call(method: .post, path: "/orders", body: rare("A-5")),
    Call(method: .post, path: "/orders", body: "[]"),
    Call(method: .get, path: "/orders/A-1"),
    Call(method: .patch, path: "/orders/A-1", body: #"{"status": "paid"}"#),
    Call(method: .patch, path: "/orders/A-1", body: #"{"status": "paid"}"#),
    Call(method: .patch, path: "/orders/A-1", body: #"{"status": "placed"}"#),
    Call(method: .patch, path: "/orders/A-9", body: #"{"status": "paid"}"#),
    Call(method: .get, path: "/customers/ada.birch@example.com/orders"),
    Call(method: .get, path: "/customers/ada.birch@example.com/orders?limit=1"),
    Call(method: .get, path: "/customers/nobody@example.com/orders"),
    Call(method: .get, path: "/report"),
    Call(method: .get, path: "/report?by=day"),
    Call(method: .get, path: "/health"),
  ]

  private static func order(_ number: String, _ products: Int...) -> String {
    let lines = products.map { #"{"sku": "P-000\#($0)", "quantity": \#($0 + 1)}"# }.joined(separator: ", ")
    return #"{"number": "\#(number)", "customer": "ada.birch@example.com", "lines": [\#(lines)]}"#
  }

  /// An order of two pieces of a product with a stock of three.
  private static func rare(_ number: String) -> String {
    let line = #"{"sku": "P-0226", "quantity": 2}"#
    return #"{"number": "\#(number)", "customer": "ada.birch@example.com", "lines": [\#(line)]}"#
  }

  @Test("every request has the same answer from both, apart from the time")
  func alike() async throws {
    let folder = try TemporaryFolder()
    let server = try await LoadServer(folder: folder.url)
    let client = RouterClient(server.router())
    var statuses: [Int] = []
    for call in Self.calls {
      func answer(_ store: String) async throws -> (status: Int, body: NSObject?) {
        let response = try await client.execute(uri: store + call.path, method: call.method, body: call.body)
        let text = response.text.replacing(/"placedAt":"[^"]*"/, with: #""placedAt":"""#)
        return (response.status.code, try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSObject)
      }
      let (coredata, grdb) = (try await answer("/coredata"), try await answer("/grdb"))
      #expect(coredata == grdb, "\(call.method) \(call.path)")
      #expect(coredata.body != nil)
      statuses.append(coredata.status)
    }
    #expect(
      statuses == [
        200, 404, 201, 409, 201, 400, 201, 409, 400, 200, 200, 200, 409, 404, 200, 200, 404, 200, 200, 200,
      ]
    )
    try server.close()
  }

  @Test("while others write the files, orders are refused for now, and can be read")
  func busy() async throws {
    let folder = try TemporaryFolder()
    try await check(CoreDataOrderStore(at: folder.file("CoreData.sqlite"), timeout: 0))
    try await check(GRDBOrderStore(at: folder.file("GRDB.sqlite"), timeout: 0))

    func check(_ store: some OrderStore) async throws {
      let order = NewOrder(
        number: "A-1",
        customer: "ada.birch@example.com",
        lines: [.init(sku: "P-0001", quantity: 1)]
      )
      let created = try await store.createOrder(order)
      let name = store is GRDBOrderStore ? "GRDB.sqlite" : "CoreData.sqlite"
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: folder.file(name).path, configuration: configuration)
      try await other.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
      await #expect(throws: OrderFailure.busy) {
        try await store.createOrder(NewOrder(number: "A-2", customer: order.customer, lines: order.lines))
      }
      await #expect(throws: OrderFailure.busy) { try await store.changeStatus(ofOrder: "A-1", to: .paid) }
      #expect(try await store.order("A-1").total == created.total)
      try await other.writeWithoutTransaction { try $0.rollback() }
      #expect(try await store.changeStatus(ofOrder: "A-1", to: .paid).status == .paid)
      try other.close()
      try store.close()
    }
  }

  @Test("both begin with the same orders, once")
  func firstOrders() async throws {
    let folder = try TemporaryFolder()
    var server = try await LoadServer(folder: folder.url)
    try await server.createFirstOrders(FirstOrders(count: 100))
    try server.close()
    server = try await LoadServer(folder: folder.url)
    try await server.createFirstOrders(FirstOrders(count: 100))
    #expect(try await server.orderCounts() == (100, 100))
    try server.close()
  }
}

/// A folder that is gone after the test.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  deinit { try? FileManager.default.removeItem(at: url) }
}
