import Foundation
import ModelFormats
import Predicates

extension NSManagedObject {
  /// Has ``validateValue(_:forKey:)`` check each property, or those alone that can be wrong where
  /// no class overrides it.
  ///
  /// - Throws: the error of the value that is not valid; for several, one error with theirs in it. The
  ///   store's error where destinations that changed cannot be read.
  final func checkAllValues() throws {
    let members = keyedMembers
    let isPlain = members.checksValues == false && members.validations.isEmpty
    let (outOfRange, withoutNumber) = (slotsOutOfRange(), slotsWithoutNumber())
    // The fast path, which most objects pass without any further check.
    if isPlain, outOfRange.isEmpty, withoutNumber.isEmpty, let base, let required = layout.requiredSlots,
      !state.contains(.hasFailures),
      required.allSatisfy({ EntityLayout.hasValue(base, slot: $0) })
    {
      return
    }
    let wrong = outOfRange + withoutNumber
    var failures: [NSError] = []
    let checked = layout.checkedSlots
    for slot in isPlain ? checked + wrong.filter({ !checked.contains($0) }) : Array(layout.slots.indices) {
      let shape = layout.slots[slot]
      if shape.isTransient || shape.attribute is NSDerivedAttributeDescription { continue }
      // A value that could not be read is the store's value, and is not changed.
      if state.contains(.hasFailures), rowAtHand?.failure(slot) != nil { continue }
      if isPlain, let row = rowAtHand, shape.isValidWithAnyValue, row.hasValue(slot), !wrong.contains(slot) {
        continue
      }
      check(shape.name, value: readSlot(slot), failures: &failures)
    }
    for index in layout.toMany.indices where isPlain ? layout.checkedToMany.contains(index) : true {
      if !state.contains(.inserted), hasRelationshipFault(layout.toMany[index].name) {
        // A relationship that was not changed since it was fetched was valid when it was saved. The
        // other side may have changed destinations that this context has not loaded.
        if extras?.hasChanges(toMany: index) != true { continue }
        _ = try readMembers(index)
      }
      check(layout.toMany[index].name, value: answer(index), failures: &failures)
    }
    if let error = CocoaError.combined(failures, object: self) { throw error }
  }

  /// The slots of integers of 16 and 32 bits whose numbers need more.
  private final func slotsOutOfRange() -> [Int] {
    guard !layout.narrowSlots.isEmpty, let base else { return [] }
    var found: [Int] = []
    for (slot, range) in layout.narrowSlots where EntityLayout.hasValue(base, slot: slot) {
      let value = (base + layout.offset(slot)).assumingMemoryBound(to: Int64.self).pointee
      if !range.contains(value) { found.append(slot) }
    }
    return found
  }

  /// The slots of required numbers and dates that are not a number (NaN).
  private final func slotsWithoutNumber() -> [Int] {
    guard !layout.requiredRealSlots.isEmpty, let base else { return [] }
    return layout.requiredRealSlots.filter { slot in
      EntityLayout.hasValue(base, slot: slot)
        && (base + layout.offset(slot)).assumingMemoryBound(to: Double.self).pointee.isNaN
    }
  }

  /// Checks one value, and sets the value by which the check has replaced it.
  private final func check(_ key: String, value: Any?, failures: inout [NSError]) {
    let object = value.map { $0 as AnyObject }
    var checked = object
    do {
      try validateValue(&checked, forKey: key)
      if checked !== object { setValue(checked, forKey: key) }
    } catch {
      failures += CocoaError.singleErrors(of: error)
    }
  }

  /// Checks one value against the model as if the property had it.
  final func checkValue(_ value: Any?, forKey key: String) throws {
    guard let index = layout.names.index(of: key) else { failUnknown(key) }
    let failures = index >= 0 ? failures(of: value, slot: index) : failures(of: value, toMany: -1 - index)
    if let error = CocoaError.combined(failures, object: self) { throw error }
  }

  /// An error for each destination that was put into a relationship and is gone, or is deleted by
  /// the same save: no store could keep the reference.
  final func danglingReferences() -> [NSError] {
    if isDeleted || state.isDisjoint(with: [.inserted, .updated]) { return [] }
    guard let extras, !layout.slots.isEmpty || !extras.toMany.isEmpty else { return [] }
    var failures: [NSError] = []
    for slot in layout.referenceSlots {
      guard let destination = extras.destination(slot), destination.isNoDestination, let row = rowAtHand,
        committedRow.map({ !row.hasEqualValue($0, slot: slot) }) ?? true
      else { continue }
      failures.append(dangling(layout.slots[slot].name, destination: destination))
    }
    for case (let index, let relationship?) in extras.toMany.enumerated() {
      // Objects that are new and deleted before the first save are left out.
      for destination in relationship.added.objects
      where destination.isNoDestination && !destination.state.isSuperset(of: [.inserted, .deleted]) {
        failures.append(dangling(layout.toMany[index].name, destination: destination))
      }
    }
    return failures
  }

  private final var isNoDestination: Bool { isDeleted || !state.contains(.registered) }

  private final func dangling(_ key: String, destination: NSManagedObject) -> NSError {
    CocoaError.validation(
      NSManagedObjectValidationError,
      object: self,
      key: key,
      message: """
        \(key) of \(describeIdentity()) leads to \(destination.describeIdentity()), which has been deleted, or is in no \
        context; take it out, or insert the object anew.
        """,
      more: [NSValidationValueErrorKey: destination, NSAffectedObjectsErrorKey: [self, destination]]
    )
  }

  /// Checks the deny rules: a deletion is refused while a relationship with that rule has destinations left.
  final func checkDeletion() throws {
    if !layout.deniesDeletions { return }
    for (relationship, destinations) in destinationsForDeletion()
    where relationship.deleteRule == .denyDeleteRule && destinations.contains(where: { !$0.isDeleted }) {
      throw CocoaError.validation(
        NSValidationRelationshipDeniedDeleteError,
        object: self,
        key: relationship.name,
        message: """
          \(describeIdentity()) cannot be deleted while its \(relationship.name) has objects; take them out or \
          delete them too.
          """
      )
    }
  }

  private final func failures(of value: Any?, slot: Int) -> [NSError] {
    let property = layout.slots[slot].property
    return failures(of: value, property: property, key: property.name)
  }

  /// - Parameter key: the property's name, or the path to an element of a composite attribute.
  private final func failures(of value: Any?, property: NSPropertyDescription, key: String) -> [NSError] {
    guard let value, !(value is NSNull) else { return property.isOptional ? [] : [missing(key)] }
    if let composite = property as? NSCompositeAttributeDescription, let values = value as? [String: Any] {
      return composite.elements.flatMap { failures(of: values[$0.name], property: $0, key: "\(key).\($0.name)") }
    }
    if !property.isOptional, Self.isNotANumber(value, property: property) { return [notANumber(key)] }
    if let failure = rangeFailure(of: value, property: property, key: key) { return [failure] }
    if property.validationPredicates.isEmpty { return [] }
    return zip(property.validationPredicates, property.validationWarnings).compactMap { predicate, warning in
      if predicate.evaluate(with: value) { return nil }
      let code = (warning as? NSNumber)?.intValue ?? NSManagedObjectValidationError
      let text =
        Self.failure(of: predicate, value: value) ?? (warning as? String)
        ?? "it does not fulfil \(predicate.printedFormat)"
      return CocoaError.validation(
        code,
        object: self,
        key: key,
        message: "\(DescriptionNode.words(value)) is not a valid \(key) of \(describeIdentity()): \(text).",
        more: [NSValidationPredicateErrorKey: predicate, NSValidationValueErrorKey: value]
      )
    }
  }

  /// The reason that a rule cannot be checked for a value; `nil` if it can.
  private static func failure(of predicate: NSPredicate, value: Any) -> String? {
    do {
      _ = try PredicateEvaluator(predicate)(value)
      return nil
    } catch let error as PredicateEvaluationError
      where error.message.hasPrefix(PredicateEvaluationError.givenUp)
    {
      return "it cannot be said whether it fulfils \(predicate.printedFormat). \(error.message)"
    } catch {
      return nil
    }
  }

  /// The error of a number that does not fit an integer of 16 or 32 bits.
  private final func rangeFailure(of value: Any, property: NSPropertyDescription, key: String) -> NSError? {
    guard let type = (property as? NSAttributeDescription)?.attributeType, let range = type.narrowRange,
      let number = (value as? NSNumber)?.int64Value, !range.contains(number)
    else { return nil }
    return CocoaError.validation(
      number < 0 ? NSValidationNumberTooSmallError : NSValidationNumberTooLargeError,
      object: self,
      key: key,
      message: """
        \(DescriptionNode.words(value)) is not a valid \(key) of \(describeIdentity()): the attribute takes numbers from \
        \(range.lowerBound) to \(range.upperBound).
        """,
      more: [NSValidationValueErrorKey: value]
    )
  }

  private static func isNotANumber(_ value: Any, property: NSPropertyDescription) -> Bool {
    switch (property as? NSAttributeDescription)?.attributeType.storage {
    case .real?: (value as? NSNumber)?.doubleValue.isNaN == true
    case .date?: (value as? Date)?.timeIntervalSinceReferenceDate.isNaN == true
    default: false
    }
  }

  private final func notANumber(_ key: String) -> NSError {
    CocoaError.validation(
      NSValidationMissingMandatoryPropertyError,
      object: self,
      key: key,
      message: """
        \(key) is required, and that of \(describeIdentity()) is not a number (NaN), which databases keep as no value; \
        set a number before saving.
        """
    )
  }

  private final func missing(_ key: String) -> NSError {
    CocoaError.validation(
      NSValidationMissingMandatoryPropertyError,
      object: self,
      key: key,
      message: "\(key) is required, and \(describeIdentity()) has none; set it before saving."
    )
  }

  private final func failures(of value: Any?, toMany index: Int) -> [NSError] {
    let relationship = layout.toMany[index].relationship
    let count =
      switch value {
      case let set as NSSet: set.count
      case let set as NSOrderedSet: set.count
      default: 0
      }
    if count == 0, relationship.isOptional { return [] }
    // Apple's documentation of `minCount`: 0 is for no limit.
    let least = relationship.minCount
    if count < least {
      return [
        countFailure(
          NSValidationRelationshipLacksMinimumCountError,
          relationship: relationship,
          value: value,
          problem: "has \(count) objects, and needs at least \(least)."
        )
      ]
    }
    guard relationship.maxCount > 0, count > relationship.maxCount else { return [] }
    return [
      countFailure(
        NSValidationRelationshipExceedsMaximumCountError,
        relationship: relationship,
        value: value,
        problem: "has \(count) objects; \(relationship.maxCount) are allowed."
      )
    ]
  }

  private final func countFailure(
    _ code: Int,
    relationship: NSRelationshipDescription,
    value: Any?,
    problem: String
  ) -> NSError {
    var details: [String: Any] = [:]
    details[NSValidationValueErrorKey] = value
    return CocoaError.validation(
      code,
      object: self,
      key: relationship.name,
      message: "\(relationship.name) of \(describeIdentity()) \(problem)",
      more: details
    )
  }
}
