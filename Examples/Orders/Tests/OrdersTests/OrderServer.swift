import Foundation
import Hummingbird
import OrderService
import RouterClient

/// The example's server with its own store, without a port: requests go directly to the router.
struct OrderServer: Sendable {
  let store: CoreDataOrderStore

  /// - Parameters:
  ///   - file: The store's file; by default a store in memory.
  ///   - refusesSingleFaults: True if loading the faults of a fetch one by one is an error.
  init(
    at file: URL = URL(fileURLWithPath: "/dev/null"),
    timeout: TimeInterval = 5,
    refusesSingleFaults: Bool = false
  ) async throws {
    store = try await CoreDataOrderStore(at: file, timeout: timeout, refusesSingleFaults: refusesSingleFaults)
  }

  @discardableResult
  func get(_ uri: String) async throws -> TestResponse { try await send(.get, uri, nil) }

  @discardableResult
  func post(_ uri: String, _ body: String) async throws -> TestResponse { try await send(.post, uri, body) }

  @discardableResult
  func patch(_ uri: String, _ body: String) async throws -> TestResponse { try await send(.patch, uri, body) }

  private func send(_ method: HTTPRequest.Method, _ uri: String, _ body: String?) async throws -> TestResponse {
    let router = Router()
    OrderRoutes(store: store).add(to: router)
    return try await RouterClient(router).execute(uri: uri, method: method, body: body)
  }

  /// The body of an order of one alder, and optionally of another product.
  static func order(_ number: String, also: String = "", of customer: String = ada) -> String {
    let lines = #"[{"sku": "P-0001", "quantity": 1}\#(also)]"#
    return #"{"number": "\#(number)", "customer": "\#(customer)", "lines": \#(lines)}"#
  }

  static let ada = "ada.ashworth@example.com"
}

extension TestResponse {
  func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(type, from: Data(text.utf8))
  }
}

/// A folder that is deleted after the test.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }
}
