extension ModelDocument {
  /// The effect of an object's deletion on the destinations of a relationship.
  public enum DeletionRule: String, CaseIterable, Hashable, Sendable {
    /// The destinations are unchanged, even if they still refer to the deleted object.
    case noAction = "No Action"
    /// The destinations no longer refer to the deleted object.
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
    /// The effect that deleting the object has on the destinations; `nil` is Apple's default, to nullify.
    public var deletionRule: DeletionRule?
    /// The name of the destination entity.
    public var destinationEntity: String?
    /// The name of the inverse relationship.
    public var inverseName: String?
    /// The name of the entity that has the inverse relationship.
    public var inverseEntity: String?
    /// True when a store should index the relationship, in the older style.
    public var isIndexed = false
    /// True if Spotlight indexes the relationship on Apple's platforms.
    public var isIndexedBySpotlight = false
    /// True if the relationship is stored in an external record on macOS.
    public var isStoredInTruthFile = false
    /// True if the relationship is synchronised; without an effect.
    public var isSyncable = false
    /// The renaming identifier: the relationship's name in older versions of the model.
    public var elementID: String?
    /// A text that is part of the version hash.
    public var versionHashModifier: String?
    /// Words of the model's author.
    public var userInfo: [UserInfoEntry]?

    /// The line of the file that declares this.
    public var line = SourceLine()
    /// The unknown attributes and elements.
    public var unknown = UnknownContents()

    /// Makes a relationship to an entity.
    public init(name: String, destinationEntity: String) {
      self.name = name
      self.destinationEntity = destinationEntity
    }

    init() {}

    /// `NSRelationshipDescription.minCount`: 0 if it is not given.
    public var effectiveMinCount: Int { minCount ?? 0 }

    /// `NSRelationshipDescription.maxCount`: if it is not given, 0 (no limit) for a to-many and 1
    /// for a to-one relationship.
    public var effectiveMaxCount: Int { maxCount ?? (isToMany ? 0 : 1) }
  }
}

extension ModelDocument.Relationship: ContentsPart {
  static let elementName = "relationship"
  static let fields: [ContentsField<Self>] = [
    .name("name", path: \.name),
    .flag("optional", path: \.isOptional),
    .flag("transient", path: \.isTransient),
    .flag("toMany", path: \.isToMany),
    .count("minCount", path: \.minCount),
    .count("maxCount", path: \.maxCount),
    .word("deletionRule", \.deletionRule),
    .flag("ordered", path: \.isOrdered),
    .text("destinationEntity", path: \.destinationEntity),
    .text("inverseName", path: \.inverseName),
    .text("inverseEntity", path: \.inverseEntity),
    .flag("indexed", path: \.isIndexed),
    .flag("spotlightIndexingEnabled", path: \.isIndexedBySpotlight),
    .flag("storedInTruthFile", path: \.isStoredInTruthFile),
    .text("elementID", path: \.elementID),
    .text("versionHashModifier", path: \.versionHashModifier),
    .flag("syncable", path: \.isSyncable),
  ]
  static let children: [ContentsChild<Self>] = [.wrapped(in: "userInfo", path: \.userInfo)]
}
