import Foundation
import Predicates

/// Computes the derived attributes of the rows that a save has changed, and of rows that depend on them.
struct InMemoryDerivation {
  let store: Int32
  private let now = Date()

  /// - Parameter changed: the keys of changed rows, with their layouts.
  /// - Throws: an error that names the attribute whose expression cannot be evaluated.
  func update(_ contents: inout InMemoryContents, changed: [(key: Int64, layout: EntityLayout)]) throws {
    guard changed.first?.layout.entity.model?.hasDerivedAttributes == true else { return }
    var done: Set<RecordIdentity> = []
    for (key, layout) in changed { try update(key, layout: layout, isChanged: true, contents: &contents, done: &done) }
    for (key, layout) in changed {
      try updateDependents(dependents(of: key, layout: layout, in: contents), contents: &contents, done: &done)
    }
  }

  /// A row whose derived attributes are computed from other rows.
  typealias Dependent = (key: Int64, root: Int32)

  /// The rows whose derived attributes lead to some rows, before these are changed or deleted.
  func dependents(of rows: [(key: Int64, layout: EntityLayout)], in contents: InMemoryContents) -> [Dependent] {
    guard rows.first?.layout.entity.model?.hasDerivedAttributes == true else { return [] }
    return rows.flatMap { dependents(of: $0.key, layout: $0.layout, in: contents) }
  }

  /// Recomputes the derived attributes of the dependents that still exist.
  func updateDependents(_ dependents: [Dependent], contents: inout InMemoryContents) throws {
    var done: Set<RecordIdentity> = []
    try updateDependents(dependents, contents: &contents, done: &done)
  }

  private func updateDependents(
    _ dependents: [Dependent],
    contents: inout InMemoryContents,
    done: inout Set<RecordIdentity>
  ) throws {
    for dependent in dependents {
      guard let row = contents.row(dependent.key, root: dependent.root) else { continue }
      try update(dependent.key, layout: row.layout, isChanged: false, contents: &contents, done: &done)
    }
  }

  private func update(
    _ key: Int64,
    layout: EntityLayout,
    isChanged: Bool,
    contents: inout InMemoryContents,
    done: inout Set<RecordIdentity>
  ) throws {
    guard !layout.derivedSlots.isEmpty, let row = contents.row(key, root: layout.rootNumber),
      done.insert(RecordIdentity(key: key, root: layout.rootNumber, store: store)).inserted
    else { return }
    let fetched = FetchedRow(key: key, store: store, layout: row.layout, row: row)
    let reader = InMemoryReader(contents: contents, store: store)
    guard let record = StoreRecord(fetched, reader: reader) else { return }
    let copy = row.copy()
    for derived in layout.derivedSlots {
      let isTime = derived.expression.description == "now()"
      if isTime, !isChanged { continue }
      copy.set(
        isTime ? .real(now.timeIntervalSinceReferenceDate) : try value(derived, record: record),
        slot: derived.slot
      )
    }
    contents.set(copy, key: key, root: layout.rootNumber)
  }

  private func value(_ derived: DerivedSlot, record: StoreRecord) throws -> StoredValue {
    let value: Any?
    do {
      value = try ExpressionEvaluator(derived.expression)(record)
    } catch {
      throw failure(derived, reason: error.localizedDescription)
    }
    if let stored = AttributeValue.stored(value, as: derived.attribute.attributeType) { return stored }
    throw failure(derived, reason: "\(DescriptionNode.words(value)) is not a value of the attribute's type")
  }

  private func failure(_ derived: DerivedSlot, reason: String) -> NSError {
    StoreFailure.save(
      """
      the derived attribute \(derived.attribute.modelPath) cannot be computed by \(derived.expression): \(reason); \
      correct its derivationExpression.
      """
    )
  }

  /// The rows with derived attributes that depend on a row through a relationship with an inverse.
  private func dependents(of key: Int64, layout: EntityLayout, in contents: InMemoryContents) -> [Dependent] {
    guard let row = contents.row(key, root: layout.rootNumber) else { return [] }
    return layout.entity.allRelationships.flatMap { relationship -> [Dependent] in
      guard let inverse = relationship.frozenInverse, inverse.leadsToDerivedValues,
        let root = relationship.frozenDestination?.layout.rootNumber
      else { return [] }
      if case .slot(let slot)? = layout.places[relationship.name] {
        guard case .reference(let reference) = row.value(slot) else { return [] }
        return [(reference.key, root)]
      }
      return contents.destinations(of: relationship, from: key).map { ($0.key, root) }
    }
  }
}

extension NSManagedObjectModel {
  fileprivate final var hasDerivedAttributes: Bool {
    numberedEntities.contains { !$0.layout.derivedSlots.isEmpty }
  }
}

extension NSRelationshipDescription {
  /// True when the relationship's entity or one of its subentities has a derived attribute that is
  /// computed from the relationship's destination.
  fileprivate final var leadsToDerivedValues: Bool {
    entity.selfAndAllSubentities.contains { entity in
      entity.layout.derivedSlots.contains { derived in
        guard case .keyPath(let path) = derived.expression.node else { return true }
        return path.split(separator: ".").first ?? "" == name
      }
    }
  }
}
