import Foundation

/// A key path, cut into its keys and collection operators once.
package struct KeyPathReader {
  private enum Step {
    case key(String)
    case collection(CollectionOperator)
  }

  private let steps: [Step]
  /// The one key of the commonest key paths.
  private let onlyKey: String?

  /// - Throws: `PredicateEvaluationError` for an empty key or an unknown operator.
  package init(_ keyPath: String) throws(PredicateEvaluationError) {
    var steps: [Step] = []
    // The path is split by bytes, because a dot and a combining mark after it are one character.
    for bytes in keyPath.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      let name = Substring(bytes)
      guard !name.isEmpty else { throw PredicateEvaluationError("The key path \"\(keyPath)\" has an empty key") }
      guard name.hasPrefix("@") else {
        // Every object has the key "self" on Apple's platforms: numbers.@sum.self.
        if name != "self" { steps.append(.key(String(name))) }
        continue
      }
      guard let collection = CollectionOperator(rawValue: String(name)) else {
        throw PredicateEvaluationError(
          "The key path \"\(keyPath)\" has the unknown operator \(name), expected one of \(CollectionOperator.list)"
        )
      }
      steps.append(.collection(collection))
    }
    self.steps = steps
    if steps.count == 1, case .key(let key) = steps[0] { onlyKey = key } else { onlyKey = nil }
  }

  /// The value at the key path of any value.
  ///
  /// - Throws: an error for a key that a value on the way does not have.
  package func value(of root: Any?) throws -> Any? { try value(from: EvaluatedValue(root)).object }

  func value(in scope: borrowing EvaluationScope) throws -> EvaluatedValue {
    switch scope.root {
    case .coding(let coding):
      if let onlyKey { return EvaluatedValue(try coding.checkedValue(forKey: onlyKey)) }
      return try value(from: .object(coding))
    case .other(let object): return try value(from: EvaluatedValue(object))
    }
  }

  func value(from root: EvaluatedValue) throws -> EvaluatedValue { try value(from: root, path: steps[...]) }

  private func value(from start: EvaluatedValue, path: ArraySlice<Step>) throws -> EvaluatedValue {
    var value = start
    var index = path.startIndex
    while index < path.endIndex {
      switch path[index] {
      case .key(let key):
        value = try Self.value(ofKey: key, in: value)
        index += 1
      case .collection(let operation):
        // The keys up to the next operator are read from every element.
        let end = path[(index + 1)...].firstIndex { step in
          if case .collection = step { return true }
          return false
        }
        let inner = path[(index + 1)..<(end ?? path.endIndex)]
        value = try operation.apply(to: value) { element in
          inner.isEmpty ? element : try self.value(from: element, path: inner)
        }
        index = inner.endIndex
      }
    }
    return value
  }

  // MARK: - One key

  private static func value(ofKey key: String, in value: EvaluatedValue) throws -> EvaluatedValue {
    switch value {
    case .null: return .null
    case .object(let object):
      if let coding = object as? any KeyValueCoding { return EvaluatedValue(try coding.checkedValue(forKey: key)) }
      if let dictionary = object as? any DictionaryValue {
        return EvaluatedValue(unwrapped(dictionary.value(forTextKey: key)))
      }
      if type(of: object) is NSDictionary.Type, let dictionary = object as? NSDictionary {
        return EvaluatedValue(dictionary.object(forKey: key))
      }
      if let elements = CollectionValue.elements(of: object) { return .object(try mapped(elements, key: key)) }
      if let value = FoundationKeys.value(of: key, in: value) { return value }
      if let value = ReflectedValue.value(ofKey: key, in: object) { return EvaluatedValue(value) }
    default:
      if let value = FoundationKeys.value(of: key, in: value) { return value }
    }
    throw PredicateEvaluationError("A value that is \(value.typeName) has no key \"\(key)\"")
  }

  /// The values of a key of all elements. The elements of values that are collections themselves
  /// follow one another, as the rows of a join do.
  private static func mapped(_ elements: [Any?], key: String) throws -> [Any?] {
    var values: [Any?] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      let value = try value(ofKey: key, in: EvaluatedValue(element))
      if let inner = value.elements {
        values.append(contentsOf: inner)
      } else {
        values.append(value.any)
      }
    }
    return values
  }
}

/// The properties of any Swift value, by reflection.
enum ReflectedValue {
  /// The value of a stored property, inherited ones included. The outer optional is `nil` when
  /// there is no such property.
  static func value(ofKey key: String, in object: Any) -> Any?? {
    var mirror: Mirror? = Mirror(reflecting: object)
    while let present = mirror {
      for child in present.children {
        guard let label = child.label else { continue }
        if label == key { return .some(unwrapped(child.value)) }
        // A lazy property and a property with a wrapper are stored under other names.
        if label.hasPrefix("$__lazy_storage_$_"), label.dropFirst(18) == key { return .some(unwrapped(child.value)) }
        if label.hasPrefix("_"), label.dropFirst() == key,
          let wrapped = Mirror(reflecting: child.value).children.first(where: { $0.label == "wrappedValue" })
        {
          return .some(unwrapped(wrapped.value))
        }
      }
      mirror = present.superclassMirror
    }
    return nil
  }
}
