import Foundation
public import Predicates

extension NSManagedObject: KeyValueCoding {
  /// The value of a key that may be unknown, as keys in a predicate that a user typed are.
  ///
  /// - Throws: `NSCoreDataError` for a key that the entity does not have.
  public final func checkedValue(forKey key: String) throws -> Any? {
    // The entity's properties are found faster by their list of names, which a recording object does not have.
    if layout.names.index(of: key) != nil || layout.places[key] != nil || keyedMembers.found[key] != nil {
      return value(forKey: key)
    }
    if let known = layout.otherValue(forKey: key, of: self, objectID: objectID) { return known }
    return try checkedValue(forUndefinedKey: key)
  }
}

extension NSManagedObject {
  /// The value at the end of a path of keys.
  ///
  /// Keys of the destinations of a to-many relationship are collected: in an `NSSet`, or an
  /// `NSOrderedSet` where the relationship is ordered. A path goes into composite attributes by the
  /// names of their elements, and may have collection operators (`pages.@count`,
  /// `employees.@avg.salary`), as Apple's key-value coding programming guide describes them.
  ///
  /// ```swift
  /// let name = note.value(forKeyPath: "author.name") as? String
  /// let best = note.author?.value(forKeyPath: "notes.@max.rating") as? Int
  /// print(name ?? "", best ?? 0)  // Ines 5
  /// ```
  public final func value(forKeyPath keyPath: String) -> Any? {
    guard let dot = keyPath.firstIndex(of: ".") else { return value(forKey: keyPath) }
    if keyPath.contains("@") { return calculatedValue(forKeyPath: keyPath) }
    return Self.value(
      forKeyPath: String(keyPath[keyPath.index(after: dot)...]),
      of: value(forKey: String(keyPath[..<dot]))
    )
  }

  private static func value(forKeyPath keyPath: String, of value: Any?) -> Any? {
    switch value {
    case let object as NSManagedObject: object.value(forKeyPath: keyPath)
    case let set as NSSet: NSSet(array: values(of: set.allObjects, keyPath: keyPath))
    case let set as NSOrderedSet: NSOrderedSet(array: values(of: set.array, keyPath: keyPath))
    case let composite as [String: Any]: CompositeValue(composite)[keyPath]
    default: nil
    }
  }

  private static func values(of objects: [Any], keyPath: String) -> [Any] {
    objects.compactMap { ($0 as? NSManagedObject)?.value(forKeyPath: keyPath) }
  }

  private final func calculatedValue(forKeyPath keyPath: String) -> Any? {
    do {
      return try KeyPathReader(keyPath).value(of: self)
    } catch {
      fatalError("\(describeIdentity()) has no value for \(keyPath): \(error.localizedDescription)")
    }
  }

  /// Sets the property at the end of a path of keys; there must be an object, or a composite
  /// attribute, at the end of each key before.
  ///
  /// ```swift
  /// note.setValue("Inês", forKeyPath: "author.name")
  /// ```
  public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
    guard let dot = keyPath.firstIndex(of: ".") else { return setValue(value, forKey: keyPath) }
    let key = String(keyPath[..<dot])
    let rest = String(keyPath[keyPath.index(after: dot)...])
    if layout.entity.allAttributesByName[key] is NSCompositeAttributeDescription {
      var composite = CompositeValue(self.value(forKey: key) as? [String: Any] ?? [:])
      composite[rest] = value
      setValue(composite.values, forKey: key)
    } else {
      (self.value(forKey: key) as? NSManagedObject)?.setValue(value, forKeyPath: rest)
    }
  }

  /// The values of several properties, `NSNull` where there is none.
  ///
  /// ```swift
  /// let values = note.dictionaryWithValues(forKeys: ["title", "text"])
  /// print(values["text"] is NSNull)  // true: it has none
  /// ```
  public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
  }

  /// Sets several properties; `NSNull` means no value.
  ///
  /// ```swift
  /// note.setValuesForKeys(["title": "Prune the pear tree", "rating": 4, "text": NSNull()])
  /// ```
  public final func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
  }

  // MARK: - What the open methods do

  final func readValue(forKey key: String) -> Any? {
    guard let index = layout.names.index(of: key) ?? layout.recorder?.record(key, kind: .object, in: self)
    else { return readOtherValue(forKey: key) }
    return index >= 0 ? readSlot(index) : answer(-1 - index)
  }

  final func writeValue(_ value: Any?, forKey key: String) {
    guard let index = layout.names.index(of: key) else { failUnknown(key) }
    if index < 0 {
      replaceMembers(destinations(from: value, forKey: key), index: -1 - index)
    } else if layout.kind(index) == .reference {
      setDestination(destinations(from: value, forKey: key).first, slot: index)
    } else {
      writeSlot(acceptable(value, slot: index), slot: index)
    }
  }

  final func readPrimitiveValue(forKey key: String) -> Any? {
    guard
      let index = layout.names.index(of: key) ?? layout.recorder?.recordDeclared(key, kind: .object, in: self)
    else { failUnknown(key) }
    if index < 0 { return answer(-1 - index) }
    if layout.kind(index) == .reference { return destination(index) }
    guard let row = rowAtHand else { return nil }
    if !row.hasValue(index) { checkFailure(index) }
    return publicValue(row.value(index), slot: index)
  }

  final func writePrimitiveValue(_ value: Any?, forKey key: String) {
    guard let index = layout.names.index(of: key), index >= 0, layout.kind(index) != .reference else {
      return writeValue(value, forKey: key)
    }
    announceChange(index)
    writableRow().set(acceptable(value, slot: index), slot: index)
  }

  @inline(__always)
  final func readSlot(_ slot: Int) -> Any? {
    let base = currentBase(for: slot)
    guard EntityLayout.hasValue(base, slot: slot) else {
      checkFailure(slot)
      return nil
    }
    switch layout.kind(slot) {
    case .reference: return destination(slot)
    case .integer where !layout.isBoolean(slot):
      return NSNumber(value: (base + layout.offset(slot)).load(as: Int64.self))
    case .text: return (base + layout.offset(slot)).load(as: String.self)
    default: return publicValue(currentRow.value(slot), slot: slot)
    }
  }

  final func publicValue(_ value: StoredValue, slot: Int) -> Any? {
    if case .reference(let reference) = value { return registry.context?.object(for: reference) }
    if case .object(let archive as UnreadableArchive) = value, archive.isDamaged {
      reportUnreadable(archive, slot: slot)
      return nil
    }
    return AttributeValue.value(value, as: layout.slots[slot].attribute?.attributeType ?? .undefinedAttributeType)
  }

  private final func acceptable(_ value: Any?, slot: Int) -> StoredValue {
    guard let attribute = layout.slots[slot].attribute, let stored = AttributeValue.stored(value, of: attribute) else {
      fatalError(
        """
        unacceptable type of value for \(layout.entity.name ?? "").\(layout.slots[slot].name): \(value ?? "nil") \
        (\(value.map { Swift.type(of: $0) as Any } ?? "nil")); give it a value of the attribute's type.
        """
      )
    }
    return stored
  }

  /// The value of something that has no slot: `objectID` and `self`, as predicates name them.
  private final func readOtherValue(forKey key: String) -> Any? {
    if let property = layout.entity.allPropertiesByName[key] as? NSFetchedPropertyDescription {
      return fetchedProperty(property)
    }
    if let value = layout.otherValue(forKey: key, of: self, objectID: objectID) { return value }
    // In an object that records the names of a key path, it is a key of another version of the model.
    if let index = layout.recorder?.recordDeclared(key, kind: .object, in: self) {
      return index >= 0 ? readSlot(index) : answer(-1 - index)
    }
    return valueOfOtherKey(key)
  }

  private final func destinations(from value: Any?, forKey key: String) -> [NSManagedObject] {
    guard let value else { return [] }
    // The type shows whether the value is a collection, because a cast to a class would bridge it.
    let type = Swift.type(of: value)
    if type == Set<NSManagedObject>.self, let set = value as? Set<NSManagedObject> { return Array(set) }
    if type == [NSManagedObject].self, let array = value as? [NSManagedObject] { return array }
    let objects: [Any]
    switch value {
    case let object as NSManagedObject: return [object]
    case is NSNull: return []
    case let set as NSSet: objects = set.allObjects
    case let set as NSOrderedSet: objects = set.array
    case let array as [Any]: objects = array
    case let set as Set<AnyHashable>: objects = set.map(\.base)
    default: objects = [value]
    }
    let found = objects.compactMap { $0 as? NSManagedObject }
    if found.count == objects.count { return found }
    fatalError(
      """
      unacceptable type of value for \(layout.entity.name ?? "").\(key): \(value); a relationship takes \
      managed objects, or a set of them.
      """
    )
  }

  final func failUnknown(_ key: String) -> Never { fatalError(layout.unknownKey(key).localizedDescription) }
}
