extension SeedError {
  /// The kind of a seed error. Its raw value is a stable identifier such as `unknown-key`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable identifier.
    public let rawValue: String

    /// Creates a code from its stable identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A seed file or resource is not there or cannot be read.
    public static let unreadableFile = Code(rawValue: "unreadable-file")

    /// A remote seed's server did not answer, refused or broke off.
    public static let notFetched = Code(rawValue: "not-fetched")

    /// A seed, or a record of it, is larger than what was allowed: see `SeedLimits`.
    public static let tooLarge = Code(rawValue: "too-large")

    /// A remote seed's server declares a content type that is not a seed's.
    public static let wrongContentType = Code(rawValue: "wrong-content-type")

    /// A remote seed does not fit its checksum or signature, or does not have the one that it requires.
    public static let notVerified = Code(rawValue: "not-verified")

    /// The file name does not end with a known format.
    public static let unknownFormat = Code(rawValue: "unknown-format")

    /// The text violates its format; the position has the line and column.
    public static let brokenText = Code(rawValue: "broken-text")

    /// The text parses, but does not have the shape of a seed: lists of records by entity.
    public static let wrongShape = Code(rawValue: "wrong-shape")

    /// No entity of the model answers to the name, or more than one does, or it is abstract.
    public static let unknownEntity = Code(rawValue: "unknown-entity")

    /// The entity does not have the property, or a seed cannot set it.
    public static let unknownKey = Code(rawValue: "unknown-key")

    /// A value does not fit the type of its attribute or relationship.
    public static let wrongType = Code(rawValue: "wrong-type")

    /// A relationship names an object that is neither in the seed nor in the store.
    public static let unknownReference = Code(rawValue: "unknown-reference")

    /// Two records, or two objects in the store, have the same natural key.
    public static let ambiguousKey = Code(rawValue: "ambiguous-key")

    /// Two records say different things of one relationship, such as two parents that claim one
    /// child, or of one property of an object.
    public static let contradiction = Code(rawValue: "contradiction")

    /// A relationship leads to an entity without a natural key by which a seed could refer to its objects.
    public static let noNaturalKey = Code(rawValue: "no-natural-key")

    /// The model's user info names a value transformer that is not registered.
    public static let noTransformer = Code(rawValue: "no-transformer")

    /// A required value is missing, or a value fails the model's validation rules.
    public static let invalidObject = Code(rawValue: "invalid-object")

    /// The context or coordinator does not have a writable store.
    public static let noStore = Code(rawValue: "no-store")

    /// The steps of a plan, the seeds of a run, or the settings of a seeder, do not make sense together.
    public static let wrongPlan = Code(rawValue: "wrong-plan")

    /// The code of a step of a plan threw an error, which is the underlying one.
    public static let stepFailed = Code(rawValue: "step-failed")

    /// Another seeding of the same store is at work and the main thread cannot wait for it.
    public static let alreadyRunning = Code(rawValue: "already-running")

    /// The profile `reset` would delete objects where the program is not in development.
    public static let notInDevelopment = Code(rawValue: "not-in-development")

    /// Another program has the store open, which was to be reset.
    public static let storeInUse = Code(rawValue: "store-in-use")

    /// The run was cancelled before its changes were saved.
    public static let cancelled = Code(rawValue: "cancelled")

    /// Core Data refused to read or save.
    public static let storeFailed = Code(rawValue: "store-failed")
  }
}
