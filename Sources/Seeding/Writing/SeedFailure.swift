import CoreData
import Foundation

/// Translates errors of Core Data into the terms of a seed.
enum SeedFailure {
  /// The reason that a run has to do with an object.
  enum Cause {
    /// The object was created or changed by a record.
    case record(SeedPosition)
    /// A record has a list of a relationship that the object is not in any more.
    case removal(SeedPosition)
  }

  /// A `SeedError` for any error of writing or saving. Called on the queue of the writer's context.
  /// - Parameters:
  ///   - context: The context that was saved, and has its changes still; nil where it has not.
  ///   - objects: The objects of the run.
  static func described(
    _ error: any Error,
    in context: NSManagedObjectContext? = nil,
    among objects: [NSManagedObject] = [],
    cause: (NSManagedObject) -> Cause? = { _ in nil }
  ) -> SeedError {
    if let error = error as? SeedError { return error }
    switch SeedRefusal.all(of: error, in: context, among: objects).refusals.first {
    case .invalid(let object, let first)?:
      switch cause(object) {
      case .record(let position): return invalidObject(object, detail: first, error: error, place: position)
      case .removal(let position): return orphan(object, detail: first, error: error, position: position)
      case nil: return invalidObject(object, detail: first, error: error, place: nil, isReadable: context != nil)
      }
    case .taken(let values)?:
      let places = values.objects.compactMap { object in
        if case .record(let position)? = cause(object) { position } else { nil }
      }.sorted { ($0.line ?? 0, $0.record ?? 0) < ($1.line ?? 0, $1.record ?? 0) }
      let wrong = values.isFree ? places.last : places.first
      return values.error(at: wrong, besides: values.isFree && places.count > 1 ? places.first : nil, underlying: error)
    case nil: break
    }
    let first = SeedRefusal.details(of: error as NSError).first ?? (error as NSError)
    return SeedError(
      code: .storeFailed,
      problem: "the store could not be seeded: \(ErrorWords.describe(first))",
      remedy: "correct the cause and seed again",
      underlying: error
    )
  }

  /// Translates an error of writing or saving records: to the records with errors if they are to be
  /// left out and nothing else failed, otherwise to a `SeedError`.
  /// - Parameters:
  ///   - context: The context that was saved, and has its changes still.
  ///   - objects: The objects of the run.
  ///   - leavesOut: True if records with errors are left out.
  ///   - record: The number and position of the record that created or changed an object.
  ///   - remover: The position of the record that has removed an object from a relationship.
  static func ofWriting(
    _ error: any Error,
    in context: NSManagedObjectContext,
    among objects: [NSManagedObject],
    leavesOut: Bool,
    record: (NSManagedObject) -> (number: Int, position: SeedPosition)?,
    remover: (NSManagedObject) -> SeedPosition?
  ) -> any Error {
    if error is SeedRestart { return error }
    if leavesOut, let found = records(error, in: context, among: objects, record: record) {
      return SeedRestart.without(found)
    }
    return described(error, in: context, among: objects) { object in
      record(object).map { .record($0.position) } ?? remover(object).map { .removal($0) }
    }
  }

  /// Two records say different things of one relationship, from its two sides or from two of them.
  /// - Parameters:
  ///   - relationship: the name of the relationship that the other record has set.
  ///   - name: the object whose relationship it has set, by entity and natural key.
  ///   - place: the position of that statement; nil if it is unknown.
  static func contradiction(
    _ record: PlannedRecord,
    reference: PlannedRecord.Reference,
    relationship: String,
    of name: String,
    at place: SeedPosition?
  ) -> SeedError {
    let other = place.map { " by \($0)" } ?? " by another record of this run"
    return SeedError(
      code: .contradiction,
      at: record.position.with(key: reference.relationship.name),
      problem: "the \(relationship) of the \(name) is said\(other), and this is something else",
      remedy: "have both say the same, or leave it to one of them"
    )
  }

  /// Several objects have a natural key, so that it does not identify one of them.
  static func ambiguous(_ key: KeyValues?, of shape: EntityShape, at position: SeedPosition) -> SeedError {
    SeedError(
      code: .ambiguousKey,
      at: position,
      problem: "there are several \(shape.name) with the \(shape.naturalKey?.name ?? "") \(key?.words ?? "")",
      remedy: "make it unique, or declare another natural key in \(SeedHeader.keysKey) of the seed"
    )
  }

  /// The records that Core Data has found to be wrong; nil when the error has another cause too.
  /// Called on the queue of the writer's context.
  /// - Parameters:
  ///   - context: The context that was saved, and has its changes still.
  ///   - objects: The objects of the run.
  ///   - record: The number and position of the record that created an object.
  private static func records(
    _ error: any Error,
    in context: NSManagedObjectContext,
    among objects: [NSManagedObject],
    record: (NSManagedObject) -> (number: Int, position: SeedPosition)?
  ) -> RecordFailures.Found? {
    let (refusals, isComplete) = SeedRefusal.all(of: error, in: context, among: objects)
    guard isComplete else { return nil }
    var found = RecordFailures.Found()
    for refusal in refusals {
      switch refusal {
      case .invalid(let object, let detail):
        guard let record = record(object) else { return nil }
        found.errors.append(
          (record.number, invalidObject(object, detail: detail, error: detail, place: record.position))
        )
      case .taken(let values):
        let records = values.objects.compactMap(record).sorted { $0.number < $1.number }
        let wrong = values.isFree ? records.dropFirst() : records[...]
        guard !wrong.isEmpty else { return nil }
        let first = values.isFree ? records.first?.position : nil
        for (number, position) in wrong {
          found.errors.append((number, values.error(at: position, besides: first, underlying: error)))
        }
      }
    }
    return found.errors.isEmpty ? nil : found
  }

  /// Returns true for an error that records which are not written yet may undo: a to-many relationship
  /// has too few or too many objects, or two objects have one unique value.
  static func isUndoable(_ error: any Error) -> Bool {
    let error = error as NSError
    return SeedRefusal.details(of: error).contains { detail in
      detail.domain == NSCocoaErrorDomain
        && [
          NSValidationRelationshipLacksMinimumCountError, NSValidationRelationshipExceedsMaximumCountError,
          NSManagedObjectConstraintMergeError,
        ].contains(detail.code)
    }
  }

  /// Without the object's address, which means nothing in a seed's terms.
  private static func words(_ detail: NSError, object: NSManagedObject) -> String {
    let address = " " + object.objectID.uriRepresentation().absoluteString
    let words = ErrorWords.describe(detail).replacingOccurrences(of: address, with: "")
    return words.hasSuffix(".") ? String(words.dropLast()) : words
  }

  /// The entity and the natural key of an object.
  private static func name(_ object: NSManagedObject) -> String {
    let identity = NaturalKeys().key(of: object.entity).flatMap { key -> String? in
      let attributes = key.parts.compactMap { part in
        if case .attribute(let attribute) = part { object.value(forKey: attribute.name) } else { nil }
      }
      return attributes.isEmpty
        ? nil : attributes.map { ValueWords.of($0) { _ in nil } }.joined(separator: ", ")
    }
    return [object.entity.name ?? "object", identity].compactMap { $0 }.joined(separator: " ")
  }

  private static func orphan(
    _ object: NSManagedObject,
    detail: NSError,
    error: any Error,
    position: SeedPosition
  ) -> SeedError {
    let key = detail.userInfo[NSValidationKeyErrorKey] as? String
    return SeedError(
      code: .invalidObject,
      at: position,
      problem:
        "the store has a \(name(object)) that the record does not name any more, and that cannot be without \(key ?? "it")",
      remedy:
        "name it, add to the others by {\"\(RecordPlanner.addKey)\": [...]}, or have what the seed does not name deleted by "
        + "pruning",
      underlying: error
    )
  }

  private static func invalidObject(
    _ object: NSManagedObject,
    detail: NSError,
    error: any Error,
    place: SeedPosition?,
    isReadable: Bool = true
  ) -> SeedError {
    let key = detail.userInfo[NSValidationKeyErrorKey] as? String
    var position = place
    if let key { position = position?.with(key: key) }
    let identity = isReadable ? name(object) : object.entity.name ?? "object"
    if detail.domain == NSCocoaErrorDomain, detail.code == NSValidationRelationshipDeniedDeleteError {
      return SeedError(
        code: .invalidObject,
        at: position,
        problem:
          "the \(identity) would be deleted, and the model denies that while \(key ?? "a relationship") of it leads to objects",
        remedy: "keep its record, or have the seed take these objects away from it first",
        underlying: error
      )
    }
    let place = position == nil ? " (\(identity)\(key.map { ", key \"\($0)\"" } ?? ""))" : ""
    if detail.code == NSValidationMissingMandatoryPropertyError {
      return SeedError(
        code: .invalidObject,
        at: position,
        problem: "the required value is missing\(place)",
        remedy: "give one, or make it optional or give it a default in the model",
        underlying: error
      )
    }
    return SeedError(
      code: .invalidObject,
      at: position,
      problem: "the model's rules do not allow this object\(place): \(words(detail, object: object))",
      remedy: "correct the value",
      underlying: error
    )
  }
}
