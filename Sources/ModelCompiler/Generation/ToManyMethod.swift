/// The operation of a method with `@NSManaged` on a to-many relationship, as its name tells it.
struct ToManyMethod: Hashable {
  enum Operation: Hashable {
    case add, addAll, remove, removeAll, intersect
    case insert, insertAll, removeAt, removeAllAt, replaceAt, replaceAllAt
  }

  /// The kind of argument that a parameter takes.
  enum ParameterKind: Hashable {
    case object, collection, index, indexes
  }

  var operation: Operation
  /// The name of the relationship.
  var key: String

  /// Reads the name of a method; `nil` for a name that Core Data has no meaning for.
  ///
  /// - Parameters:
  ///   - selector: the Objective-C name, which is what Apple's Core Data goes by; `nil` where none
  ///     is written.
  ///   - keys: the names of the properties that are known.
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

  /// A form of the names of methods; `*` stands for the name of the relationship with a capital.
  private struct Form {
    var pattern: String
    var operations: [[ParameterKind]: Operation]
    /// True when the name means this only where the relationship is known: `addToys(_:)` may be
    /// about `toys` or `ys`.
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

  /// The names that Core Data gives its accessors.
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

  /// The names that Xcode writes, and those that Swift makes of Core Data's.
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

  /// The text that stands for `*`; `nil` when a name is not of the pattern's form or names two
  /// relationships.
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
