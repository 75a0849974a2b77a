import CoreData
import Foundation

/// Says in a seed's terms what Core Data refused.
enum SeedFailure {
  /// The reason that a run has to do with an object.
  enum Cause {
    /// The object was made from a record, or changed by it.
    case record(SeedPosition)
    /// A record has a list of a relationship that the object is not in any more.
    case removal(SeedPosition)
  }

  /// A `SeedError` for any error of writing or saving. Called on the queue of the writer's context.
  static func described(_ error: any Error, cause: (NSManagedObject) -> Cause? = { _ in nil }) -> SeedError {
    if let error = error as? SeedError { return error }
    let first = firstDetail(of: error as NSError)
    if isValidation(first), let object = first.userInfo[NSValidationObjectErrorKey] as? NSManagedObject {
      switch cause(object) {
      case .record(let position): return invalidObject(object, first, error, position)
      case .removal(let position): return orphan(object, first, error, position)
      case nil: return invalidObject(object, first, error, nil)
      }
    }
    return SeedError(
      .storeFailed,
      "the store could not be seeded: \(ErrorWords.describe(first))",
      remedy: "correct the cause and seed again",
      underlying: error
    )
  }

  /// Two records say different things of one relationship, from its two sides or from two of them.
  /// - Parameters:
  ///   - relationship: the name of the relationship that the other record has said something of.
  ///   - name: the object of which it has said it, by entity and natural key.
  ///   - place: the place of that statement; nil where it is not known.
  static func contradiction(
    _ record: PlannedRecord,
    _ reference: PlannedRecord.Reference,
    _ relationship: String,
    of name: String,
    at place: SeedPosition?
  ) -> SeedError {
    let other = place.map { " by \($0)" } ?? " by another record of this run"
    return SeedError(
      .contradiction,
      at: record.position.with(key: reference.relationship.name),
      "the \(relationship) of the \(name) is said\(other), and this is something else",
      remedy: "have both say the same, or leave it to one of them"
    )
  }

  /// The records that validation has found to be wrong; nil when the error has another cause too.
  /// Called on the queue of the writer's context.
  /// - Parameter record: The number and place of the record that an object was made from.
  static func records(
    _ error: any Error,
    record: (NSManagedObject) -> (number: Int, position: SeedPosition)?
  ) -> RecordFailures.Found? {
    var found = RecordFailures.Found()
    for detail in details(of: error as NSError) {
      guard isValidation(detail),
        let object = detail.userInfo[NSValidationObjectErrorKey] as? NSManagedObject,
        let record = record(object)
      else { return nil }
      found.errors.append((record.number, invalidObject(object, detail, detail, record.position)))
    }
    return found
  }

  /// Returns true for an error that records which are not written yet may undo: a to-many relationship
  /// has too few or too many objects, or two objects have one unique value.
  static func isUndoable(_ error: any Error) -> Bool {
    details(of: error as NSError).contains { detail in
      detail.domain == NSCocoaErrorDomain
        && [
          NSValidationRelationshipLacksMinimumCountError, NSValidationRelationshipExceedsMaximumCountError,
          NSManagedObjectConstraintMergeError,
        ].contains(detail.code)
    }
  }

  private static func details(of error: NSError) -> [NSError] {
    error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
  }

  /// Several validation errors of one save come in a single error.
  private static func firstDetail(of error: NSError) -> NSError {
    details(of: error).first ?? error
  }

  private static func isValidation(_ error: NSError) -> Bool {
    error.domain == NSCocoaErrorDomain
      && (NSManagedObjectValidationError...NSValidationInvalidURIError).contains(error.code)
  }

  /// Without the object's address, which says nothing in a seed's terms.
  private static func words(_ detail: NSError, _ object: NSManagedObject) -> String {
    let address = " " + object.objectID.uriRepresentation().absoluteString
    let words = ErrorWords.describe(detail).replacingOccurrences(of: address, with: "")
    return words.hasSuffix(".") ? String(words.dropLast()) : words
  }

  private static func orphan(
    _ object: NSManagedObject,
    _ detail: NSError,
    _ error: any Error,
    _ position: SeedPosition
  ) -> SeedError {
    let key = detail.userInfo[NSValidationKeyErrorKey] as? String
    let entity = object.entity.name ?? "object"
    let identity = NaturalKeys().key(of: object.entity).flatMap { key -> String? in
      let attributes = key.parts.compactMap { part in
        if case .attribute(let attribute) = part { object.value(forKey: attribute.name) } else { nil }
      }
      return attributes.map { ValueWords.of($0) { _ in nil } }.joined(separator: ", ")
    }
    return SeedError(
      .invalidObject,
      at: position,
      "the store has a \(entity)\(identity.map { " " + $0 } ?? "") that the record does not name any more, and that cannot be "
        + "without \(key ?? "it")",
      remedy:
        "name it, add to the others by {\"\(RecordPlanner.addKey)\": [...]}, or have what the seed does not name deleted by "
        + "pruning",
      underlying: error
    )
  }

  private static func invalidObject(
    _ object: NSManagedObject,
    _ detail: NSError,
    _ error: any Error,
    _ place: SeedPosition?
  ) -> SeedError {
    let key = detail.userInfo[NSValidationKeyErrorKey] as? String
    var position = place
    if let key { position = position?.with(key: key) }
    let entity = object.entity.name ?? "object"
    let place = position == nil ? " (\(entity)\(key.map { ", key \"\($0)\"" } ?? ""))" : ""
    if detail.code == NSValidationMissingMandatoryPropertyError {
      return SeedError(
        .invalidObject,
        at: position,
        "the required value is missing\(place)",
        remedy: "give one, or make it optional or give it a default in the model",
        underlying: error
      )
    }
    return SeedError(
      .invalidObject,
      at: position,
      "the model's rules do not allow this object\(place): \(words(detail, object))",
      remedy: "correct the value",
      underlying: error
    )
  }
}
