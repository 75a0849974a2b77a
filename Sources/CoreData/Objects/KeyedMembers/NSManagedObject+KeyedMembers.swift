extension NSManagedObject {
  /// The members that key-value coding finds in the object's class, in addition to the properties of its entity.
  final var keyedMembers: ClassMembers { layout.members(of: Swift.type(of: self)) }

  /// The member that comes before a property of the entity.
  @inline(__always)
  final func memberInFront(of key: String) -> ClassMembers.Member? {
    layout.mayHaveMembersInFront(Swift.type(of: self)) ? keyedMembers.inFront[key] : nil
  }

  /// The value of a key that the entity does not have.
  final func valueOfOtherKey(_ key: String) -> Any? {
    keyedMembers.found[key].map { $0.read(self) } ?? value(forUndefinedKey: key)
  }

  /// Sets what the entity does not have.
  final func setValueOfOtherKey(_ value: Any?, key: String) {
    guard let member = keyedMembers.found[key] else { return setValue(value, forUndefinedKey: key) }
    write(value, to: member, key: key)
  }

  final func write(_ value: Any?, to member: ClassMembers.Member, key: String) {
    if value == nil, !member.acceptsNil { return setNilValueForKey(key) }
    guard let write = member.write else {
      fatalError("\(key) of \(describeIdentity()) can be read and not set; give the property a setter.")
    }
    if write(self, value) { return }
    fatalError(
      """
      unacceptable type of value for \(key) of \(describeIdentity()): \(value ?? "nil") \
      (\(value.map { Swift.type(of: $0) as Any } ?? "nil")); give it a value of the property's type.
      """
    )
  }

  // MARK: - Undefined keys

  /// The value of a key that neither the entity nor the class has, for callers that need an error
  /// instead of a stopped program.
  ///
  /// - Throws: `NSCoreDataError` where no class overrides ``value(forUndefinedKey:)`` for the key.
  final func checkedValue(forUndefinedKey key: String) throws -> Any? {
    let extras = ensureExtras()
    extras.undefinedKey = .asked
    defer { extras.undefinedKey = nil }
    let value = value(forUndefinedKey: key)
    if extras.undefinedKey == .refused { throw layout.unknownKey(key) }
    return value
  }

  /// Does the work of ``value(forUndefinedKey:)`` where no class overrides it: stops the program,
  /// or notes the refusal for a caller that makes an error of it.
  final func refuseUndefinedKey(_ key: String) {
    guard let extras, extras.undefinedKey != nil else { failUnknown(key) }
    extras.undefinedKey = .refused
  }

  /// Does the work of ``setNilValueForKey(_:)`` where no class overrides it.
  final func refuseNil(_ key: String) {
    if layout.places[key] != nil { return writeValue(nil, forKey: key) }
    fatalError("\(key) of \(describeIdentity()) cannot be nil; give it a value, or override setNilValueForKey(_:).")
  }
}

/// The state of the look-up of an unknown key for a predicate.
enum UndefinedKey {
  case asked, refused
}
