import Foundation

@main
enum Program {
  /// `OrdersLoad FOLDER ORDERS [PORT]` serves both stores in a folder until it is terminated. The stores
  /// begin with this number of orders. `OrdersLoad FOLDER` does not serve. Both print the numbers of orders
  /// at the end.
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let server = try await LoadServer(folder: URL(fileURLWithPath: arguments.first ?? "."))
    if let count = arguments.dropFirst().first.flatMap({ Int($0) }) {
      try await server.createFirstOrders(FirstOrders(count: count))
      try await server.run(port: arguments.dropFirst(2).first.flatMap { Int($0) } ?? 0)
    }
    let (coredata, grdb) = try await server.orderCounts()
    print("coredata \(coredata)\ngrdb \(grdb)")
    try server.close()
  }
}
