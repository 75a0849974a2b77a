package import Foundation

/// A mapping model as plain values: how the objects of one version of a model become those of another.
package struct MappingDocument: Hashable, Sendable {
  /// A mapping from the objects of one entity to those of another.
  package struct EntityMapping: Hashable, Sendable {
    package var name: String
    /// The raw value of Apple's `NSEntityMappingType`.
    package var type: UInt
    package var sourceEntity: String?
    package var sourceVersionHash: Data?
    package var destinationEntity: String?
    package var destinationVersionHash: Data?
    /// Finds the objects of the source, as a format: a fetch request, or the objects themselves.
    package var sourceExpression: String?
    package var policyClassName: String?
    package var attributes: [PropertyMapping] = []
    package var relationships: [PropertyMapping] = []
    package var userInfo: [String: String] = [:]
    /// The line of Xcode's file that declares this.
    package var line = SourceLine()
  }

  /// A mapping that finds the value of one property.
  package struct PropertyMapping: Hashable, Sendable {
    package var name: String
    /// The value, as a format; `nil` leaves the property of a new object unchanged.
    package var valueExpression: String?
    package var userInfo: [String: String] = [:]
    /// The line of Xcode's file that declares this.
    package var line = SourceLine()
  }

  /// In the order in which they are carried out.
  package var entityMappings: [EntityMapping] = []

  package init() {}
}
