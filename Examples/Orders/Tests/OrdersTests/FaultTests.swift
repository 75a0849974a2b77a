import Foundation
import Hummingbird
import OrderService
import RouterClient
import Testing

@Suite("Questions to the store")
struct FaultTests {
  @Test("no answer needs a question for each line, product or order", arguments: [false, true])
  func noSingleFaults(isFile: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = isFile ? folder.url.appendingPathComponent("Orders.sqlite") : URL(fileURLWithPath: "/dev/null")
    let server = try await OrderServer(at: file, refusesSingleFaults: true)
    let lines = #", {"sku": "P-0002", "quantity": 1}, {"sku": "P-0003", "quantity": 2}"#
    for number in 1...3 {
      let answer = try await server.post("/orders", OrderServer.order("A-\(number)", also: lines))
      #expect(answer.status == .created, "\(answer.text)")
    }
    let order = try await server.get("/orders/A-2").decoded(as: OrderDetails.self)
    #expect(order.lines.map(\.sku) == ["P-0001", "P-0002", "P-0003"])
    #expect(order.lines.allSatisfy { !$0.name.isEmpty } && !order.customer.name.isEmpty)
    let paid = try await server.patch("/orders/A-2", #"{"status": "paid"}"#)
    #expect(try paid.decoded(as: OrderDetails.self).lines == order.lines)
    let summaries = try await server.get("/customers/\(OrderServer.ada)/orders").decoded(
      as: [OrderSummary].self
    )
    #expect(summaries.map(\.number) == ["A-3", "A-2", "A-1"])
    #expect(try await server.get("/report").status == .ok)
    try server.store.close()
  }
}
