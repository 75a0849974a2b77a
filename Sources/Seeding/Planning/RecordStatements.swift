import CoreData

/// The statements that all records with one natural key make about their object. The records are one of its own and
/// those that are nested in other records. Their statements are combined, and no two of them may contradict each other.
struct RecordStatements {
  /// The digest of the first statement about each property, or element of a composite, and its record.
  private var first: [String: (digest: UInt64, record: PlannedRecord)] = [:]

  init(_ record: PlannedRecord) {
    for (name, digest) in Self.statements(of: record) { first[name] = (digest, record) }
  }

  /// Adds a further record.
  ///
  /// - Throws: A `SeedError` if the record contradicts an earlier one.
  mutating func add(_ record: PlannedRecord) throws {
    for (name, digest) in Self.statements(of: record) {
      guard let known = first[name] else {
        first[name] = (digest, record)
        continue
      }
      guard known.digest != digest else { continue }
      throw SeedError(
        code: .contradiction,
        at: record.position.with(key: name),
        problem: "the \(name) of the \(record.words) is said by \(known.record.position.with(key: name)), "
          + "and this is something else",
        remedy: "have both say the same, or leave it to one of them"
      )
    }
  }

  /// The digests of the values that a record has for each property, where they exist.
  private static func statements(of record: PlannedRecord) -> [(name: String, digest: UInt64)] {
    let contents = SeedContents()
    var statements: [(name: String, digest: UInt64)] = []
    for (attribute, value) in record.values { add(value, name: attribute.name, to: &statements) }
    for reference in record.references where reference.removals == nil {
      if let digest = contents.said(reference) { statements.append((reference.relationship.name, digest)) }
    }
    return statements
  }

  private static func add(_ value: PlannedValue, name: String, to statements: inout [(name: String, digest: UInt64)]) {
    guard case .composite(let elements) = value else {
      if let digest = SeedDigest.of(value) { statements.append((name, digest)) }
      return
    }
    for (element, value) in elements.sorted(by: { $0.key < $1.key }) {
      add(value, name: "\(name).\(element)", to: &statements)
    }
  }
}

extension PlannedRecord {
  /// The words by which an error names the object: `Tag "blue"`.
  var words: String {
    [shape.name, naturalKey?.words].compactMap { $0 }.joined(separator: " ")
  }
}
