import Foundation
import Hummingbird
import OrderService
import RouterClient
import Testing

@Suite("Reading orders")
struct ReadingTests {
  @Test("an order that does not exist is not found")
  func unknownOrder() async throws {
    let answer = try await OrderServer().get("/orders/A-1")
    #expect(answer.status == .notFound)
    #expect(answer.text == #"{"error":{"message":"there is no order A-1"}}"#)
  }

  @Test("a customer's orders come with the newest first, as many as are asked for")
  func ofCustomer() async throws {
    let server = try await OrderServer()
    for number in 1...25 { try await server.post("/orders", OrderServer.order("A-\(number)")) }
    try await server.post("/orders", OrderServer.order("B-1", of: "ada.birch@example.com"))
    func numbers(_ query: String) async throws -> [String] {
      let answer = try await server.get("/customers/\(OrderServer.ada)/orders\(query)")
      return try answer.decoded(as: [OrderSummary].self).map(\.number)
    }
    #expect(try await numbers("?limit=3") == ["A-25", "A-24", "A-23"])
    #expect(try await numbers("?limit=100") == (1...25).reversed().map { "A-\($0)" })
    #expect(try await numbers("").count == 20)
  }

  @Test("nobody's orders are not found")
  func unknownCustomer() async throws {
    let answer = try await OrderServer().get("/customers/nobody@example.com/orders")
    #expect(answer.status == .notFound)
    #expect(answer.text == #"{"error":{"message":"there is no customer nobody@example.com"}}"#)
  }

  @Test("a limit that is none is a bad request", arguments: ["0", "101", "-1", "many", ""])
  func limits(limit: String) async throws {
    let answer = try await OrderServer().get("/customers/\(OrderServer.ada)/orders?limit=\(limit)")
    #expect(answer.status == .badRequest)
    #expect(answer.text == #"{"error":{"message":"limit has to be a number from 1 to 100"}}"#)
  }

  @Test("the report has the orders and their turnover by status, and by day")
  func report() async throws {
    let server = try await OrderServer()
    for number in 1...3 {
      try await server.post(
        "/orders",
        OrderServer.order("A-\(number)", also: #", {"sku": "P-0003", "quantity": \#(number)}"#)
      )
    }
    try await server.patch("/orders/A-2", #"{"status": "paid"}"#)
    func order(_ number: String) async throws -> OrderDetails {
      try await server.get("/orders/\(number)").decoded(as: OrderDetails.self)
    }
    let (first, second, third) = try await (order("A-1"), order("A-2"), order("A-3"))
    func report(_ query: String) async throws -> [ReportRow] {
      try await server.get("/report\(query)").decoded(as: [ReportRow].self)
    }
    let byStatus = [
      ReportRow(group: "paid", orders: 1, turnover: second.total),
      ReportRow(group: "placed", orders: 2, turnover: first.total + third.total),
    ]
    #expect(try await report("") == byStatus)
    #expect(try await report("?by=status") == byStatus)

    // Two of the orders may have different days, because midnight can fall between them.
    let days = try await report("?by=day")
    #expect(Set(days.map(\.group)) == Set([first, second, third].map { NewOrder.day(of: $0.placedAt) }))
    #expect(days.reduce(0) { $0 + $1.orders } == 3)
    #expect(days.reduce(0) { $0 + $1.turnover } == first.total + second.total + third.total)

    let answer = try await server.get("/report?by=colour")
    #expect(answer.status == .badRequest)
    #expect(answer.text == #"{"error":{"message":"by has to be status or day"}}"#)
  }

  @Test("a report of no orders is empty")
  func emptyReport() async throws {
    #expect(try await OrderServer().get("/report").text == "[]")
  }

  @Test("a server that can read its store is healthy")
  func health() async throws {
    let server = try await OrderServer()
    try await server.post("/orders", OrderServer.order("A-1"))
    let answer = try await server.get("/health")
    #expect(answer.status == .ok && answer.text == #"{"orders":1}"#)
  }

  @Test("a server whose store was removed says so, and keeps the reason to its log")
  func unhealthy() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("Orders.sqlite")
    let server = try await OrderServer(at: file)
    try FileManager.default.moveItem(at: file, to: folder.url.appendingPathComponent("elsewhere.sqlite"))
    let answer = try await server.get("/health")
    #expect(answer.status == .serviceUnavailable)
    #expect(answer.text == #"{"error":{"message":"the store cannot be used"}}"#)
    try server.store.close()
  }
}
