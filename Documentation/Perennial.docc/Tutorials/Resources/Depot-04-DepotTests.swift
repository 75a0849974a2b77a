import CoreData
import Testing

@testable import Depot

@Suite("The depot")
struct DepotTests {
  @Test("two deliveries at the same time both count")
  func deliveries() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
    let depot = try Depot(file)
    try await depot.deliver(1, of: "Plums")
    async let first: Void = depot.deliver(10, of: "Plums")
    async let second: Void = depot.deliver(100, of: "Plums")
    _ = try await (first, second)
    #expect(try await depot.lines() == ["Plums: 111"])
  }
}
