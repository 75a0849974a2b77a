import Foundation

/// A type of stores on servers. A store is at a URL whose scheme belongs to the type.
package struct ServerStoreType: Sendable {
  /// The name of the type, as store descriptions have it.
  package let name: String
  /// The product of this package that adds the type to a program which links it.
  package let product: String
  /// The trait of this package that the product takes.
  package let trait: String
  private let schemes: Set<String>

  /// All types, also those that are not in this program.
  package static let all = [
    ServerStoreType(
      name: NSPostgreSQLStoreType,
      product: "CoreDataPostgreSQL",
      trait: "PostgreSQL",
      schemes: ["postgresql", "postgres"]
    )
  ]

  /// The type whose stores are at an address.
  ///
  /// - Parameter address: the text of a URL. The path of a file has no type.
  package init?(address: String) {
    guard let end = address.firstRange(of: "://")?.lowerBound else { return nil }
    let scheme = address[..<end].lowercased()
    guard let type = Self.all.first(where: { $0.schemes.contains(scheme) }) else { return nil }
    self = type
  }

  private init(name: String, product: String, trait: String, schemes: Set<String>) {
    self.name = name
    self.product = product
    self.trait = trait
    self.schemes = schemes
  }

  /// True when the program can open stores of the type.
  package var isLinked: Bool { StoreTypes.all[name] != nil }

  /// The error of a program that cannot open stores of the type.
  var missing: NSError {
    CocoaError.coreData(
      NSPersistentStoreInvalidTypeError,
      message: """
        stores of the type \(name) are not in this program; add the product \(product) to its target, and the trait \
        \(trait) where its package depends on Perennial.
        """
    )
  }
}
