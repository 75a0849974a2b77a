/// Something that is wrong with a store.
package struct StoreFinding: Sendable, Equatable {
  /// The subject of a finding. The raw values are stable.
  package enum Kind: String, Sendable {
    /// The database itself.
    case integrity
    /// The store's metadata.
    case metadata
    /// The version hashes of another model.
    case versionHashes
    /// A table or a column that the model needs.
    case schema
    /// The number of an entity, or the last key that was given out under it.
    case primaryKeys
    /// The entity of a row.
    case entity
    /// The version of a row.
    case version
    /// A foreign key that leads nowhere, or to another entity than it says.
    case foreignKey
    /// Two sides of a relationship that do not agree.
    case inverse
    /// A row of a join table.
    case joinTable
    /// The place of a row in an ordered relationship.
    case order
    /// Values that a uniqueness constraint allows once.
    case uniqueness
    /// A missing value of a property that is not optional.
    case requiredValue
    /// A value that does not have the attribute's type.
    case value
    /// A file of large binary data.
    case externalData
  }

  package let kind: Kind
  /// The fault, with table and keys.
  package let problem: String
  /// The recommended remedy.
  package let remedy: String
  /// The repair; `nil` where it needs a decision.
  package let repair: Repair?

  package var isRepairable: Bool { repair != nil }

  package enum Repair: Sendable, Equatable {
    /// Statements, run in the order in which they stand.
    case statements([String])
    /// The digest and the checksum in the metadata, recomputed.
    case metadata
    /// Files of external data that no row names, removed.
    case removeFiles([String])
  }

  package init(kind: Kind, problem: String, remedy: String, repair: Repair? = nil) {
    self.kind = kind
    self.problem = problem
    self.remedy = remedy
    self.repair = repair
  }
}

/// A remark on a store that is not a fault, but that the store's owner should know.
package struct StoreNote: Sendable, Equatable {
  package let words: String
  /// The recommended action.
  package let advice: String
}
