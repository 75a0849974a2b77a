import Foundation
import Hummingbird
import OrderService
import RouterClient
import Testing

@Suite("Creating orders")
struct CreatingTests {
  @Test("a new order is where its answer says, with its customer, its products and their prices")
  func created() async throws {
    let server = try await OrderServer()
    let answer = try await server.post(
      "/orders",
      OrderServer.order("A-1", also: #", {"sku": "P-0003", "quantity": 3}"#)
    )
    #expect(answer.status == .created)
    #expect(answer.headers[.location] == "/orders/A-1")

    let order = try await server.get("/orders/A-1").decoded(as: OrderDetails.self)
    #expect(try order == answer.decoded(as: OrderDetails.self))
    #expect(order.status == .placed)
    #expect(order.customer == .init(email: OrderServer.ada, name: "Ada Ashworth"))
    #expect(order.lines.map(\.sku) == ["P-0001", "P-0003"])
    #expect(order.lines.map(\.name) == ["Alder, bare root, 40 cm", "Alder, in a pot of 2 l"])
    #expect(order.lines.map(\.quantity) == [1, 3])
    #expect(order.total == order.lines[0].price + order.lines[1].price * 3)
    #expect(abs(order.placedAt.timeIntervalSinceNow) < 60)
  }

  @Test("an order of a number that is taken is a conflict, and changes nothing")
  func twice() async throws {
    let server = try await OrderServer()
    try await server.post("/orders", OrderServer.order("A-1"))
    let again = try await server.post(
      "/orders",
      OrderServer.order("A-1", also: #", {"sku": "P-0003", "quantity": 3}"#)
    )
    #expect(again.status == .conflict)
    #expect(again.text == #"{"error":{"message":"there is an order of that number already"}}"#)
    #expect(try await server.get("/orders/A-1").decoded(as: OrderDetails.self).lines.count == 1)
    #expect(try await server.store.orderCount() == 1)
  }

  @Test("of many orders with one number that come at once, one is created")
  func atOnce() async throws {
    let folder = try TemporaryFolder()
    let server = try await OrderServer(at: folder.url.appendingPathComponent("Orders.sqlite"))
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { try await server.post("/orders", OrderServer.order("A-1")).status.code }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.sorted() == [201] + Array(repeating: 409, count: 7))
    #expect(try await server.store.orderCount() == 1)
    try server.store.close()
  }

  @Test("orders of one customer for one product that come at once are all created")
  func sameProduct() async throws {
    let folder = try TemporaryFolder()
    let server = try await OrderServer(at: folder.url.appendingPathComponent("Orders.sqlite"))
    try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
      for number in 1...32 {
        group.addTask { try await server.post("/orders", OrderServer.order("A-\(number)")).status }
      }
      for try await status in group { #expect(status == .created) }
    }
    #expect(try await server.store.orderCount() == 32)
    try server.store.close()
  }

  @Test("of what there are three, orders that come at once get three, and the others learn that none is left")
  func stock() async throws {
    let folder = try TemporaryFolder()
    let server = try await OrderServer(at: folder.url.appendingPathComponent("Orders.sqlite"))
    let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
      for number in 1...8 {
        let rare = #", {"sku": "P-0226", "quantity": 1}"#
        group.addTask { try await server.post("/orders", OrderServer.order("A-\(number)", also: rare)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.filter { $0.status == .created }.count == 3)
    let refused = answers.filter { $0.status == .conflict }
    #expect(refused.count == 5)
    #expect(Set(refused.map(\.text)) == [#"{"error":{"message":"of P-0226 there are 0 left"}}"#])
    #expect(try await server.store.orderCount() == 3)
    try server.store.close()
  }

  @Test(
    "what cannot be an order is refused with one sentence that says why, and nothing is created",
    arguments: [
      (OrderServer.order(""), "number has to be 1 to 40 letters, digits and hyphens"),
      (OrderServer.order("A/1"), "number has to be 1 to 40 letters, digits and hyphens"),
      (OrderServer.order("A", of: "nobody@example.com"), "there is no customer nobody@example.com"),
      (OrderServer.order("A", also: #", {"sku": "X", "quantity": 1}"#), "there is no product X"),
      (
        OrderServer.order("A", also: #", {"sku": "P-0002", "quantity": 0}"#),
        "the quantity of P-0002 has to be 1 to 1000, not 0"
      ),
      (
        OrderServer.order("A", also: #", {"sku": "P-0001", "quantity": 2}"#),
        "each product may be in one line alone"
      ),
      (
        #"{"number": "A", "customer": "\#(OrderServer.ada)", "lines": []}"#,
        "an order has 1 to 100 lines, not 0"
      ),
      (#"{"number": "A", "lines": []}"#, "Coding key `customer` not found."),
    ]
  )
  func refused(body: String, message: String) async throws {
    let server = try await OrderServer()
    let answer = try await server.post("/orders", body)
    #expect(answer.status == .badRequest)
    #expect(answer.text == #"{"error":{"message":"\#(message)"}}"#)
    #expect(try await server.store.orderCount() == 0)
  }

  @Test("a body that is not JSON is a bad request")
  func noJSON() async throws {
    let answer = try await OrderServer().post("/orders", "number=A-1")
    #expect(answer.status == .badRequest && answer.text.contains("message"))
  }
}
