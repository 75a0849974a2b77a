import Foundation

extension NSManagedObject {
  /// Checks all values against the model; several failures come in one error.
  final func checkAllValues() throws {
    let failures =
      layout.checkedSlots.flatMap(failures(ofSlot:)) + layout.checkedToMany.flatMap(failures(ofToMany:))
    if failures.count == 1 { throw failures[0] }
    if failures.count > 1 {
      throw CocoaError.validation(
        NSValidationMultipleErrorsError,
        self,
        nil,
        "\(failures.count) values of \(describeIdentity()) are not valid: "
          + failures.map(\.localizedDescription).joined(separator: " "),
        [NSDetailedErrorsKey: failures]
      )
    }
  }

  /// Checks one value as if the property had it.
  final func checkValue(_ value: Any?, forKey key: String) throws {
    guard let index = layout.names.index(of: key) else { failUnknown(key) }
    guard index >= 0 else { return }
    if let failure = failures(of: value, slot: index).first { throw failure }
  }

  /// Checks the deny rules: a deletion is refused while a relationship with that rule has destinations left.
  final func checkDeletion() throws {
    for (relationship, destinations) in destinationsForDeletion()
    where relationship.deleteRule == .denyDeleteRule && destinations.contains(where: { !$0.isDeleted }) {
      throw CocoaError.validation(
        NSValidationRelationshipDeniedDeleteError,
        self,
        relationship.name,
        """
        \(describeIdentity()) cannot be deleted while its \(relationship.name) has objects; take them out or \
        delete them too.
        """
      )
    }
  }

  private final func failures(ofSlot slot: Int) -> [NSError] {
    let shape = layout.slots[slot]
    if rowAtHand?.hasValue(slot) != true {
      return shape.property.isOptional || shape.isTransient ? [] : [missing(shape.name)]
    }
    guard let attribute = shape.attribute, !attribute.validationPredicates.isEmpty else { return [] }
    return failures(of: readValue(forKey: shape.name), slot: slot)
  }

  private final func failures(of value: Any?, slot: Int) -> [NSError] {
    let property = layout.slots[slot].property
    guard let value, !(value is NSNull) else { return property.isOptional ? [] : [missing(property.name)] }
    return zip(property.validationPredicates, property.validationWarnings).compactMap { predicate, warning in
      if predicate.evaluate(with: value) { return nil }
      let code = (warning as? NSNumber)?.intValue ?? NSManagedObjectValidationError
      let text = (warning as? String) ?? "it does not fulfil \(predicate.predicateFormat)"
      return CocoaError.validation(
        code,
        self,
        property.name,
        "\(value) is no valid \(property.name) of \(describeIdentity()): \(text).",
        [NSValidationPredicateErrorKey: predicate, NSValidationValueErrorKey: value]
      )
    }
  }

  private final func missing(_ key: String) -> NSError {
    CocoaError.validation(
      NSValidationMissingMandatoryPropertyError,
      self,
      key,
      "\(key) is required, and \(describeIdentity()) has none; set it before saving."
    )
  }

  private final func failures(ofToMany index: Int) -> [NSError] {
    let relationship = layout.toMany[index].relationship
    // What was not touched since it was fetched was valid when it was saved.
    if (extras?.toMany.count ?? 0) <= index, !state.contains(.inserted) { return [] }
    let count = loadedState(index).members?.count ?? 0
    if count == 0, relationship.isOptional { return [] }
    if count < max(relationship.minCount, relationship.isOptional ? 0 : 1) {
      return [
        CocoaError.validation(
          NSValidationRelationshipLacksMinimumCountError,
          self,
          relationship.name,
          """
          \(relationship.name) of \(describeIdentity()) has \(count) objects, and needs at least \
          \(max(relationship.minCount, 1)).
          """
        )
      ]
    }
    if relationship.maxCount > 0, count > relationship.maxCount {
      return [
        CocoaError.validation(
          NSValidationRelationshipExceedsMaximumCountError,
          self,
          relationship.name,
          "\(relationship.name) of \(describeIdentity()) has \(count) objects; \(relationship.maxCount) are allowed."
        )
      ]
    }
    return []
  }
}

extension CocoaError {
  static func validation(
    _ code: Int,
    _ object: NSManagedObject,
    _ key: String?,
    _ message: String,
    _ more: [String: Any] = [:]
  ) -> NSError {
    var userInfo = more
    userInfo[NSLocalizedDescriptionKey] = message
    userInfo[NSValidationObjectErrorKey] = object
    userInfo[NSValidationKeyErrorKey] = key
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
  }
}
