import Foundation
import Hummingbird
import OrderService
import RouterClient
import Testing

@Suite("Changing the status of orders")
struct StatusTests {
  private func status(_ status: String) -> String { #"{"status": "\#(status)"}"# }

  @Test("an order is paid and shipped, and a change that is asked for twice is one")
  func changes() async throws {
    let server = try await OrderServer()
    try await server.post("/orders", OrderServer.order("A-1"))
    for new in ["paid", "paid", "shipped", "shipped"] {
      let answer = try await server.patch("/orders/A-1", status(new))
      #expect(answer.status == .ok)
      let order = try answer.decoded(as: OrderDetails.self)
      #expect(order.status.rawValue == new && order.lines.count == 1)
      #expect(try await server.get("/orders/A-1").decoded(as: OrderDetails.self) == order)
    }
  }

  @Test(
    "a change that makes no sense is a conflict",
    arguments: [("shipped", "paid"), ("cancelled", "paid")]
  )
  func refused(old: String, new: String) async throws {
    let server = try await OrderServer()
    try await server.post("/orders", OrderServer.order("A-1"))
    if old == "shipped" { try await server.patch("/orders/A-1", status("paid")) }
    try await server.patch("/orders/A-1", status(old))
    let answer = try await server.patch("/orders/A-1", status(new))
    #expect(answer.status == .conflict)
    #expect(answer.text == #"{"error":{"message":"an order that is \#(old) cannot become \#(new)"}}"#)
    #expect(try await server.get("/orders/A-1").decoded(as: OrderDetails.self).status.rawValue == old)
  }

  @Test("an order that does not exist is not found, and a status that does not exist is a bad request")
  func unknown() async throws {
    let server = try await OrderServer()
    #expect(try await server.patch("/orders/A-1", status("paid")).status == .notFound)
    try await server.post("/orders", OrderServer.order("A-1"))
    #expect(try await server.patch("/orders/A-1", status("lost")).status == .badRequest)
  }

  @Test("all who pay an order at once hear that it is paid")
  func atOnce() async throws {
    let folder = try TemporaryFolder()
    let server = try await OrderServer(at: folder.url.appendingPathComponent("Orders.sqlite"))
    try await server.post("/orders", OrderServer.order("A-1"))
    try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
      for _ in 0..<8 { group.addTask { try await server.patch("/orders/A-1", status("paid")).status } }
      for try await answer in group { #expect(answer == .ok) }
    }
    try server.store.close()
  }
}
