import CoreData
import Foundation

/// The memory that the objects of a seed may use.
package struct SeedSizeLimit: Sendable {
  /// The greatest number of objects.
  package var mostObjects = 10_000
  /// The greatest number of bytes of their texts, data and transformed values.
  package var mostBytes = 32_000_000
  /// The largest number of related objects of one object, if relationships distinguish objects.
  package var mostRelated = 100_000

  package init() {}

  /// The reason that objects do not fit.
  package struct Exceeded: Error {
    /// In words, such as `they are more than 10000 objects`.
    package let words: String
  }
}

/// Adds up the memory that objects use. Used on the queue of their context.
struct SeedSizeCounter {
  private let room: SeedSizeLimit
  private var objectCount = 0
  private var byteCount = 0

  init(_ room: SeedSizeLimit) { self.room = room }

  /// - Parameter followed: the relationships that are asked for their objects next.
  mutating func add(_ object: NSManagedObject, following followed: [NSRelationshipDescription]) throws {
    objectCount += 1
    guard objectCount <= room.mostObjects else {
      throw SeedSizeLimit.Exceeded(
        words: "they are more than \(room.mostObjects) objects with all that they depend on"
      )
    }
    byteCount += Self.bytes(of: object)
    guard byteCount <= room.mostBytes else {
      throw SeedSizeLimit.Exceeded(words: "their values have more than \(room.mostBytes) bytes")
    }
    for relationship in followed { try check(relationship, of: object, most: room.mostObjects) }
  }

  /// - Parameter isRead: True for the relationships that are asked for their objects.
  func checkRelationships(
    of object: NSManagedObject,
    where isRead: (NSRelationshipDescription) -> Bool = { _ in true }
  ) throws {
    for relationship in object.entity.relationshipsByName.values
    where !relationship.isTransient && isRead(relationship) {
      try check(relationship, of: object, most: room.mostRelated)
    }
  }

  private func check(_ relationship: NSRelationshipDescription, of object: NSManagedObject, most: Int) throws {
    guard relationship.isToMany else { return }
    #if !canImport(Darwin)
      let ids = try object.managedObjectContext?.persistentStoreCoordinator?
        .destinationIDs(of: relationship.name, from: object.objectID, atMost: most + 1)
      guard let ids, ids.count > most else { return }
      throw SeedSizeLimit.Exceeded(
        words:
          "\(relationship.entity.name ?? "").\(relationship.name) leads from one of them to more than \(most)"
      )
    #endif
  }

  private static func bytes(of object: NSManagedObject) -> Int {
    object.entity.attributesByName.reduce(0) { sum, attribute in
      if attribute.value.isTransient { return sum }
      return sum + bytes(of: object.value(forKey: attribute.key))
    }
  }

  private static func bytes(of value: Any?) -> Int {
    switch value {
    case let text as String: text.utf8.count
    case let data as Data: data.count
    case let values as [Any]: values.reduce(8) { $0 + bytes(of: $1) }
    case let values as [String: Any]: values.reduce(8) { $0 + $1.key.utf8.count + bytes(of: $1.value) }
    default: 8
    }
  }
}
