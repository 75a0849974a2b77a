extension ModelDocument {
  /// The effect that deleting an object has on the objects that a relationship leads to.
  public enum DeletionRule: String, CaseIterable, Hashable, Sendable {
    /// The objects are left as they are, even where they still refer to the deleted one.
    case noAction = "No Action"
    /// The objects no longer refer to the deleted one.
    case nullify = "Nullify"
    /// The objects are deleted, too.
    case cascade = "Cascade"
    /// The object cannot be deleted as long as there are such objects.
    case deny = "Deny"

    /// The raw value of Apple's `NSDeleteRule`.
    public var number: UInt {
      switch self {
      case .noAction: 0
      case .nullify: 1
      case .cascade: 2
      case .deny: 3
      }
    }
  }

  /// A relationship of a model document.
  public struct Relationship: Hashable, Sendable {
    /// The name, unique in the entity.
    public var name = ""
    /// True when an object may be saved without a destination.
    public var isOptional = false
    /// True when the relationship is kept in memory only.
    public var isTransient = false
    /// True when there may be several destinations.
    public var isToMany = false
    /// True when the destinations have an order.
    public var isOrdered = false
    /// The smallest number of destinations.
    public var minCount: Int?
    /// The largest number of destinations.
    public var maxCount: Int?
    /// The effect that deleting the object has on the destinations; `nil` is Apple's default, to
    /// nullify.
    public var deletionRule: DeletionRule?
    /// The name of the entity that the relationship leads to.
    public var destinationEntity: String?
    /// The name of the relationship that leads back.
    public var inverseName: String?
    /// The name of the entity that has the relationship that leads back.
    public var inverseEntity: String?
    /// True when a store should index the relationship, in the older style.
    public var isIndexed = false
    /// True when the relationship goes into the Spotlight index on Apple's platforms.
    public var isIndexedBySpotlight = false
    /// True when the relationship goes into an external record on macOS.
    public var isStoredInTruthFile = false
    /// True when the relationship takes part in synchronisation; of no effect.
    public var isSyncable = false
    /// The name that the relationship had in older versions of the model.
    public var elementID: String?
    /// A text that goes into the version hash.
    public var versionHashModifier: String?
    /// Words of the model's author.
    public var userInfo: [UserInfoEntry]?

    /// The line of the file that says this.
    public var line = SourceLine()
    /// The attributes and elements here that no other property is for.
    public var unknown = UnknownContents()

    /// Makes a relationship to an entity.
    public init(name: String, destinationEntity: String) {
      self.name = name
      self.destinationEntity = destinationEntity
    }

    init() {}

    /// `NSRelationshipDescription.minCount`: none means 0.
    public var effectiveMinCount: Int { minCount ?? 0 }

    /// `NSRelationshipDescription.maxCount`: none means 0, no limit, to many and 1 to one.
    public var effectiveMaxCount: Int { maxCount ?? (isToMany ? 0 : 1) }
  }
}

extension ModelDocument.Relationship: ContentsPart {
  static let elementName = "relationship"
  static let fields: [ContentsField<Self>] = [
    .name("name", \.name),
    .flag("optional", \.isOptional),
    .flag("transient", \.isTransient),
    .flag("toMany", \.isToMany),
    .count("minCount", \.minCount),
    .count("maxCount", \.maxCount),
    .word("deletionRule", \.deletionRule),
    .flag("ordered", \.isOrdered),
    .text("destinationEntity", \.destinationEntity),
    .text("inverseName", \.inverseName),
    .text("inverseEntity", \.inverseEntity),
    .flag("indexed", \.isIndexed),
    .flag("spotlightIndexingEnabled", \.isIndexedBySpotlight),
    .flag("storedInTruthFile", \.isStoredInTruthFile),
    .text("elementID", \.elementID),
    .text("versionHashModifier", \.versionHashModifier),
    .flag("syncable", \.isSyncable),
  ]
  static let children: [ContentsChild<Self>] = [.wrapped(in: "userInfo", \.userInfo)]
}
