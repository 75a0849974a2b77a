package import CoreData

/// Finds the property of an entity that a key of a record means.
///
/// The first of these that finds one:
/// 1. the key, or path of keys, in the property's user info (`SeedAnnotations.keyPath(of:)`);
/// 2. the property's name;
/// 3. its name in another spelling, such as `created_at` for `createdAt`;
/// 4. what Sync writes: `category_id` and `notes_ids` for relationships that are given by keys alone, `id` for
///    `remoteID`, `type` and `description` for `noteType` and `noteDescription` of an entity `Note`.
package struct PropertyWords {
  /// A property whose value is nested deeper in the record than its fields.
  private struct Path {
    let rest: ArraySlice<Substring>
    let property: NSPropertyDescription
  }

  private static let reserved = ["type", "description"]

  private let names: [String: NSPropertyDescription]
  private var annotated: [String: NSPropertyDescription] = [:]
  private var paths: [String: [Path]] = [:]
  private var spellings: [String: NSPropertyDescription] = [:]

  package init(_ entity: NSEntityDescription) {
    names = entity.propertiesByName
    var folded: [String: [NSPropertyDescription]] = [:]
    for (name, property) in names {
      folded[Self.folded(name), default: []].append(property)
      guard let keyPath = SeedAnnotations.keyPath(of: property) else { continue }
      let parts = keyPath.split(separator: ".")
      if parts.count == 1 { annotated[String(parts[0])] = property }
      if parts.count > 1 {
        paths[String(parts[0]), default: []].append(Path(rest: parts.dropFirst(), property: property))
      }
    }
    // A spelling that two properties share means neither.
    spellings = folded.compactMapValues { $0.count == 1 ? $0[0] : nil }
    let known = Set(folded.keys)
    for (word, property) in Self.customaryWords(entity) where !known.contains(word) { spellings[word] = property }
  }

  /// The properties by keys that match exactly: their names and the names in annotations.
  package var exact: [String: NSPropertyDescription] { names.merging(annotated) { $1 } }

  /// The properties by keys that match without regard to case, `_`, `-` and blanks. An exact match
  /// of another property takes precedence.
  package var folded: [String: NSPropertyDescription] { spellings }

  /// The first keys of paths to properties, in which there are objects.
  package var pathKeys: [String] { paths.keys.sorted() }

  /// The property that a key names without a path.
  /// - Parameter isPlain: True if keys can only be the names of properties.
  func property(named key: String, isPlain: Bool = false) -> NSPropertyDescription? {
    if isPlain { return names[key] }
    return annotated[key] ?? names[key] ?? spellings[Self.folded(key)]
  }

  /// Returns true if values of properties may be nested below the key.
  func hasPaths(below key: String) -> Bool { paths[key] != nil }

  /// The paths that go through the key, with dots, for an error.
  func paths(below key: String) -> [String] {
    (paths[key] ?? []).map { ([Substring(key)] + $0.rest).joined(separator: ".") }.sorted()
  }

  /// The values nested below a field, each with its property. A path without a value is left out.
  func values(below field: SeedField) -> [(property: NSPropertyDescription, value: SeedValue)] {
    (paths[field.key] ?? []).compactMap { path in
      Self.value(at: path.rest, in: field.value).map { (path.property, $0) }
    }
  }

  private static func value(at path: ArraySlice<Substring>, in value: SeedValue) -> SeedValue? {
    guard let first = path.first else { return value }
    switch value {
    case .null: return .null
    case .object(let fields):
      return fields.first { $0.key == first }.flatMap { Self.value(at: path.dropFirst(), in: $0.value) }
    default: return nil
    }
  }

  private static func customaryWords(_ entity: NSEntityDescription) -> [(String, NSPropertyDescription)] {
    var words: [(String, NSPropertyDescription)] = []
    for (name, relationship) in entity.relationshipsByName {
      words.append((folded(name) + (relationship.isToMany ? "ids" : "id"), relationship))
    }
    if let identifier = entity.attributesByName["remoteID"] { words.append(("id", identifier)) }
    for (name, attribute) in entity.attributesByName {
      for word in reserved where folded(name) == folded(entity.name ?? "") + word { words.append((word, attribute)) }
    }
    return words
  }

  private static func folded(_ word: String) -> String {
    word.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
  }
}
