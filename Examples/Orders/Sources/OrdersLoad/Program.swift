import Foundation

@main
enum Program {
  /// `OrdersLoad FOLDER ORDERS [PORT]` serves both stores of a folder, which begin with so many orders, until
  /// it is told to stop; `OrdersLoad FOLDER` does not serve. Either ends by printing the numbers of orders.
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
