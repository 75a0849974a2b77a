/// The operation of an `@NSManaged` method on a to-many relationship, derived from its name.
struct ToManyMethod: Hashable {
  enum Operation: Hashable {
    case add, addAll, remove, removeAll, intersect
    case insert, insertAll, removeAt, removeAllAt, replaceAt, replaceAllAt
  }

  /// The kind of a method's parameter.
  enum ParameterKind: Hashable {
    case object, collection, index, indexes
  }

  var operation: Operation
  /// The name of the relationship.
  var key: String

  /// Parses the name of a method; `nil` for a name that has no meaning in Core Data.
  ///
  /// - Parameters:
  ///   - selector: the Objective-C name, which Apple's Core Data uses; `nil` if the source does not declare one.
  ///   - keys: the names of the known properties.
  init?(name: String, labels: [String?], kinds: [ParameterKind], selector: String?, keys: AccessorKeys) {
    let swiftName = "\(name)(\(labels.map { "\($0 ?? "_"):" }.joined()))"
    for form in selector == nil ? Self.swiftForms : Self.selectorForms {
      guard let operation = form.operations[kinds],
        let capital = Self.capital(in: form.pattern, of: selector ?? swiftName)
      else { continue }
      let known = keys.key(capitalized: capital)
      if form.needsKnownKey, known == nil { continue }
      self.operation = operation
      key = known ?? AccessorKeys.uncapitalized(capital)
      return
    }
    return nil
  }

  /// A pattern of method names, in which `*` matches the relationship's name with a capital.
  private struct Form {
    var pattern: String
    var operations: [[ParameterKind]: Operation]
    /// True when the pattern matches only a known relationship: `addToys(_:)` may mean `toys` or `ys`.
    var needsKnownKey = false
  }

  private static let additions: [[ParameterKind]: Operation] = [[.object]: .add, [.collection]: .addAll]
  private static let removals: [[ParameterKind]: Operation] = [[.object]: .remove, [.collection]: .removeAll]
  private static let insertions: [[ParameterKind]: Operation] = [
    [.object, .index]: .insert, [.collection, .indexes]: .insertAll,
  ]
  private static let removalsAtPlaces: [[ParameterKind]: Operation] = [
    [.index]: .removeAt, [.indexes]: .removeAllAt,
  ]
  private static let replacements: [[ParameterKind]: Operation] = [
    [.index, .object]: .replaceAt, [.indexes, .collection]: .replaceAllAt,
  ]

  /// The selectors of Core Data's accessors.
  private static let selectorForms = [
    Form(pattern: "add*Object:", operations: additions),
    Form(pattern: "remove*Object:", operations: removals),
    Form(pattern: "insertObject:in*AtIndex:", operations: insertions),
    Form(pattern: "removeObjectFrom*AtIndex:", operations: removalsAtPlaces),
    Form(pattern: "replaceObjectIn*AtIndex:withObject:", operations: replacements),
    Form(pattern: "insert*:atIndexes:", operations: insertions),
    Form(pattern: "remove*AtIndexes:", operations: removalsAtPlaces),
    Form(pattern: "replace*AtIndexes:with*:", operations: replacements),
    Form(pattern: "intersect*:", operations: [[.collection]: .intersect]),
    Form(pattern: "add*:", operations: additions),
    Form(pattern: "remove*:", operations: removals),
  ]

  /// The names that Xcode writes, and the Swift names of Core Data's accessors.
  private static let swiftForms = [
    Form(pattern: "add*(_:)", operations: additions, needsKnownKey: true),
    Form(pattern: "remove*(_:)", operations: removals, needsKnownKey: true),
    Form(pattern: "addTo*(_:)", operations: additions),
    Form(pattern: "removeFrom*(_:)", operations: removals),
    Form(pattern: "insertInto*(_:at:)", operations: insertions),
    Form(pattern: "removeFrom*(at:)", operations: removalsAtPlaces),
    Form(pattern: "replace*(at:with:)", operations: replacements),
    Form(pattern: "add*Object(_:)", operations: additions),
    Form(pattern: "remove*Object(_:)", operations: removals),
    Form(pattern: "insertObject(_:in*AtIndex:)", operations: insertions),
    Form(pattern: "insertObject(_:in*At:)", operations: insertions),
    Form(pattern: "removeObjectFrom*AtIndex(_:)", operations: removalsAtPlaces),
    Form(pattern: "removeObjectFrom*(at:)", operations: removalsAtPlaces),
    Form(pattern: "removeObject(from*At:)", operations: removalsAtPlaces),
    Form(pattern: "replaceObjectIn*AtIndex(_:withObject:)", operations: replacements),
    Form(pattern: "replaceObjectIn*(at:with:)", operations: replacements),
    Form(pattern: "replaceObject(in*At:with:)", operations: replacements),
    Form(pattern: "insert*(_:atIndexes:)", operations: insertions),
    Form(pattern: "insert*(_:at:)", operations: insertions),
    Form(pattern: "remove*AtIndexes(_:)", operations: removalsAtPlaces),
    Form(pattern: "remove*(at:)", operations: removalsAtPlaces),
    Form(pattern: "replace*AtIndexes(_:with*:)", operations: replacements),
    Form(pattern: "intersect*(_:)", operations: [[.collection]: .intersect]),
    Form(pattern: "add*(_:)", operations: additions),
    Form(pattern: "remove*(_:)", operations: removals),
  ]

  /// The text that `*` matches; `nil` when a name does not match the pattern or contains two different relationships.
  private static func capital(in pattern: String, of name: String) -> String? {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard name.hasPrefix(parts[0]) else { return nil }
    var rest = name.dropFirst(parts[0].count)
    var capital: Substring?
    for (index, part) in parts.dropFirst().enumerated() {
      let found: Substring
      if index == parts.count - 2 {
        guard rest.hasSuffix(part) else { return nil }
        found = rest.dropLast(part.count)
      } else {
        guard let range = rest.firstRange(of: part) else { return nil }
        found = rest[..<range.lowerBound]
        rest = rest[range.upperBound...]
      }
      guard let first = found.first, !first.isLowercase, !found.contains(where: ":()".contains),
        capital == nil || capital == found
      else { return nil }
      capital = found
    }
    return capital.map(String.init)
  }
}
