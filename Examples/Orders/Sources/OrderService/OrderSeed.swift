import Foundation

/// The customers and products of a new store, for stores that no `Seeder` fills.
package struct OrderSeed: Decodable, Sendable {
  /// A customer, who may order.
  package struct Customer: Decodable, Sendable {
    package var email: String
    package var name: String
  }

  /// A product of the shop.
  package struct Product: Decodable, Sendable {
    package var sku: String
    package var name: String
    package var price: Decimal
    package var stock: Int?
  }

  package var customers: [Customer]
  package var products: [Product]

  /// Reads the program's own seed.
  ///
  /// - Throws: `CocoaError` and `DecodingError`.
  package static func read() throws -> OrderSeed {
    guard let file = Bundle.module.url(forResource: "seed", withExtension: "json") else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "seed.json"])
    }
    return try JSONDecoder().decode(OrderSeed.self, from: Data(contentsOf: file))
  }
}
