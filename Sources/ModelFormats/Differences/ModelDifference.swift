/// The changes from one version of a model to another, and the obstacles to a lightweight migration between them.
///
/// The rules are those of Apple's documentation ("Migrating your data model automatically"):
///
/// - Attributes and relationships can be added, removed and renamed.
/// - A required attribute can become optional. An optional attribute can become required if it has a default or if
///   every object has a value (which stage handlers ensure, says Apple's documentation of `NSCustomMigrationStage`).
/// - A to-one relationship can become a to-many one, and a to-many one gain or lose its order.
/// - Entities can be added, removed, renamed, and moved in the hierarchy along with their
///   properties, but two hierarchies cannot be merged.
///
/// Apple's talk "Mastering Core Data" (2010) says that one number type can become another. A change that is not listed
/// there is an obstacle if it could lose objects of a store or make them invalid, and otherwise it is allowed.
///
/// Two parts with the same name and the same renaming identifier (`elementID`) in both versions are
/// the same part. The remaining parts are matched by the renaming identifier, then by name.
public struct ModelDifference: Hashable, Sendable {
  /// A change of one thing.
  public struct Change: Hashable, Sendable {
    /// The thing that changed, by its name in the newer version: `entity Note, attribute title`.
    public var subject: String
    /// The change of the thing: `added`, `optional: YES -> NO`.
    public var change: String
    /// The reason that a lightweight migration cannot do it; `nil` when it can.
    public var obstacle: String?
    /// The reason why a lightweight migration is possible only for some stores: the values that objects must not lack.
    public var condition: String?
    /// The entity and the property that an obstacle or a condition is about, by name.
    package var place: Place?
    /// The name of the changed entity, in the newer version if it exists there; `nil` for a change
    /// to the model as a whole.
    package var entity: String?
    /// The field of the file that changed and its values, where the change is just that.
    package var values: Values?
  }

  /// A field of a model file and its values in both versions; `nil` if it is missing.
  package struct Values: Hashable, Sendable {
    package let field: String
    package let before: String?
    package let after: String?
  }

  /// An entity of the newer version, or a property of one.
  package struct Place: Hashable, Sendable {
    package let entity: String
    package let property: String?
  }

  /// The changes: of the entities by name, then of the rest of the model.
  public let changes: [Change]

  /// Compares two versions of a model, each sound in itself.
  public init(from old: ModelDocument, to new: ModelDocument) { self.init(ModelCorrespondence(from: old, to: new)) }

  /// Compares two versions of a model whose parts have been matched.
  package init(_ correspondence: ModelCorrespondence) {
    var comparison = ModelComparison(correspondence)
    comparison.run()
    changes = comparison.changes
  }

  /// The changes that a lightweight migration cannot do.
  public var obstacles: [Change] { changes.filter { $0.obstacle != nil } }

  /// The changes that a lightweight migration can make if no object lacks a value that the newer version requires.
  public var conditions: [Change] { changes.filter { $0.condition != nil } }

  /// True if a lightweight migration can make all changes, for any objects or, with ``conditions``,
  /// for objects that lack no required value.
  public var isLightweight: Bool { obstacles.isEmpty }
}

extension ModelDifference.Change {
  /// A change that is neither an obstacle nor a condition.
  package static func changed(_ subject: String, change: String, in entity: String?) -> Self {
    Self(
      subject: subject,
      change: change,
      obstacle: nil,
      condition: nil,
      place: nil,
      entity: entity,
      values: nil
    )
  }
}
