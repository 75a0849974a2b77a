import Foundation
import Hummingbird
import OrderService
import RouterClient
import Testing

@Suite("The file of the orders")
struct StoreFileTests {
  @Test("a server that is started again has its orders, and the seed once")
  func reopened() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("Orders.sqlite")
    let server = try await OrderServer(at: file)
    try await server.post("/orders", OrderServer.order("A-1"))
    let order = try await server.get("/orders/A-1").decoded(as: OrderDetails.self)
    try server.store.close()

    let again = try await OrderServer(at: file)
    #expect(try await again.get("/orders/A-1").decoded(as: OrderDetails.self) == order)
    #expect(try await again.post("/orders", OrderServer.order("A-2")).status == .created)
    try again.store.close()
    // The file then contains everything and can be copied.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Orders.sqlite"])
  }
}
