import Foundation
import Hummingbird
import Logging
import OrderService

/// The routes of the example with two prefixes, `/coredata` and `/grdb`, and `/figures` of the process.
struct LoadServer: Sendable {
  private let coredata: CoreDataOrderStore
  private let grdb: GRDBOrderStore
  private let coredataFile: URL
  private let grdbFile: URL

  /// Opens both stores in a folder, and creates missing ones.
  init(folder: URL) async throws {
    coredataFile = folder.appendingPathComponent("CoreData.sqlite")
    grdbFile = folder.appendingPathComponent("GRDB.sqlite")
    coredata = try await CoreDataOrderStore(at: coredataFile)
    grdb = try GRDBOrderStore(at: grdbFile)
  }

  func close() throws {
    try coredata.close()
    try grdb.close()
  }

  func createFirstOrders(_ orders: FirstOrders) async throws {
    try await orders.create(in: coredata)
    try await orders.create(in: grdb)
  }

  func orderCounts() async throws -> (coredata: Int, grdb: Int) {
    (try await coredata.orderCount(), try await grdb.orderCount())
  }

  /// Serves until the process is terminated.
  ///
  /// - Parameter port: The port; 0 for any free port.
  func run(port: Int) async throws {
    let application = Application(
      router: router(),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in ListeningLine.write(port: channel.localAddress?.port) }
    )
    try await application.runService()
  }

  func router() -> Router<BasicRequestContext> {
    let router = Router()
    let coredataCounter = AnswerCounter<BasicRequestContext>()
    let grdbCounter = AnswerCounter<BasicRequestContext>()
    OrderRoutes(store: coredata).add(to: router.group("coredata").add(middleware: coredataCounter))
    OrderRoutes(store: grdb).add(to: router.group("grdb").add(middleware: grdbCounter))
    router.get("figures") { _, _ in
      let orders = try await orderCounts()
      return try Figures(
        coredata: Figures.Store(
          file: coredataFile,
          orders: orders.coredata,
          answers: coredataCounter.answers
        ),
        grdb: Figures.Store(file: grdbFile, orders: orders.grdb, answers: grdbCounter.answers)
      )
    }
    return router
  }
}
