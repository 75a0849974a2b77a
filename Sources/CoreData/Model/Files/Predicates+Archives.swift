public import Foundation
import ModelFormats

extension PredicateFactory where Self: NSPredicate {
  /// Reads a predicate from a keyed archive: the form in which compiled models hold predicates, and in which
  /// `NSKeyedArchiver` writes them on Apple's platforms. Nothing but predicates, expressions and plain values is made.
  ///
  /// - Throws: an error that names what is wrong with the archive.
  public init(archivedData data: Data) throws {
    let predicate = try PredicateArchive.predicate(from: data)
    guard let own = predicate as? Self else { throw CocoaError(.coderReadCorrupt) }
    self = own
  }
}

extension NSPredicate {
  /// A keyed archive of the predicate, which `NSKeyedUnarchiver` reads on Apple's platforms. Operations of which no
  /// archive is known (`MATCHES`, subqueries and the like) are archived as text, which only Perennial reads.
  ///
  /// - Throws: an error for a block, which cannot be archived.
  public func archivedData() throws -> Data { try PredicateArchive.data(of: self) }
}

extension ExpressionFactory where Self: NSExpression {
  /// Reads an expression from a keyed archive; see `NSPredicate.init(archivedData:)`.
  ///
  /// - Throws: an error that names what is wrong with the archive.
  public init(archivedData data: Data) throws {
    let expression = try PredicateArchive.expression(from: data)
    guard let own = expression as? Self else { throw CocoaError(.coderReadCorrupt) }
    self = own
  }
}

extension NSExpression {
  /// A keyed archive of the expression; see `NSPredicate.archivedData()`.
  ///
  /// - Throws: an error for a block, which cannot be archived.
  public func archivedData() throws -> Data { try PredicateArchive.data(of: self) }
}
