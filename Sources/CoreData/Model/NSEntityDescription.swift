public import Foundation

/// An entity: the name of a kind of managed objects, the class that represents it and its properties.
///
/// ```swift
/// let name = NSAttributeDescription()
/// name.name = "name"
/// name.attributeType = .stringAttributeType
///
/// let plant = NSEntityDescription()
/// plant.name = "Plant"
/// plant.properties = [name]
/// plant.uniquenessConstraints = [["name"]]
///
/// let model = NSManagedObjectModel()
/// model.entities = [plant]
/// ```
///
/// An entity belongs to at most one model. It can be changed until its model is used by a
/// persistent store coordinator; changing it later stops the program (Apple raises an exception).
// Mutable until its model is in use, by the one thread that makes it; immutable from then on (requireMutable).
open class NSEntityDescription: NSObject, NSCopying, WeakHandleOwner, @unchecked Sendable {
  /// Makes an entity without name and properties.
  public override init() { super.init() }

  /// The name, unique in the model.
  open var name: String? { willSet { requireMutable("name") } }

  /// The name of the class of the entity's objects, with its module when it has one; `NSManagedObject` unless set.
  open var managedObjectClassName: String! {
    get { className }
    set {
      requireMutable("managedObjectClassName")
      className = newValue ?? "NSManagedObject"
    }
  }

  /// A Boolean value that is true when there are objects of subentities only; `false` unless set.
  open var isAbstract = false { willSet { requireMutable("isAbstract") } }

  /// Words of the model's author about the entity, which Core Data itself does not use.
  open var userInfo: [AnyHashable: Any]? { willSet { requireMutable("userInfo") } }

  /// A text that goes into the version hash. Changing the text marks a change that the model does not show.
  open var versionHashModifier: String? { willSet { requireMutable("versionHashModifier") } }

  /// The name under which a migration looks for the entity in an older model: the name it had there.
  ///
  /// It is the entity's own name unless set (Apple's documentation of `renamingIdentifier`).
  ///
  /// ```swift
  /// let plant = NSEntityDescription()
  /// plant.name = "Plant"
  /// plant.renamingIdentifier = "Herb"  // its name in the version before
  /// ```
  open var renamingIdentifier: String? {
    get { explicitRenamingIdentifier ?? name }
    set {
      requireMutable("renamingIdentifier")
      explicitRenamingIdentifier = newValue
    }
  }

  /// The model that the entity belongs to. Asking before it is in one stops the program.
  open var managedObjectModel: NSManagedObjectModel {
    guard let model else {
      fatalError(
        """
        entity \(name ?? "(without a name)") is in no model; put it into the entities of an \
        NSManagedObjectModel, and keep that model.
        """
      )
    }
    return model
  }

  /// The entities that inherit from this one directly.
  ///
  /// ```swift
  /// let name = NSAttributeDescription()
  /// name.name = "name"
  /// name.attributeType = .stringAttributeType
  /// let (plant, tree) = (NSEntityDescription(), NSEntityDescription())
  /// plant.name = "Plant"
  /// tree.name = "Tree"
  /// plant.isAbstract = true
  /// plant.properties = [name]
  /// plant.subentities = [tree]
  /// print(tree.attributesByName.keys.sorted())  // ["name"]
  /// ```
  open var subentities: [NSEntityDescription] {
    get { children }
    set {
      requireMutable("subentities")
      setChildren(newValue)
    }
  }

  /// The direct subentities by name.
  open var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(children.map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entity that this one inherits from.
  open var superentity: NSEntityDescription? { parent }

  /// The properties that make an object unique, one group of attribute names or attributes for each constraint.
  ///
  /// ```swift
  /// plant.uniquenessConstraints = [["name", "place"], ["label"]]
  /// ```
  open var uniquenessConstraints: [[Any]] = [] { willSet { requireMutable("uniquenessConstraints") } }

  /// The indexes that a store should build.
  open var indexes: [NSFetchIndexDescription] = [] {
    willSet { requireMutable("indexes") }
    didSet {
      for index in indexes { index.owner = self }
    }
  }

  /// Groups of properties (names or descriptions) that a store should index together.
  ///
  /// Apple deprecates it in favour of `indexes`.
  open var compoundIndexes: [Any] = [] { willSet { requireMutable("compoundIndexes") } }

  /// A copy with copies of the entity's own properties and indexes, in no model and without super- and subentities.
  ///
  /// Relationships still lead to the entities of the original; `NSManagedObjectModel.copy()` copies them all.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSEntityDescription()
    copyState(to: copy)
    copy.properties = ownProperties.compactMap { $0.copy() as? NSPropertyDescription }
    copy.indexes = indexes.compactMap { $0.copy() as? NSFetchIndexDescription }
    return copy
  }

  // The values of the accessors above. The model owns its entities and an entity owns its
  // subentities, its properties and indexes; none of those owns back.
  final weak var model: NSManagedObjectModel?
  @WeakHandleReference final var parent: NSEntityDescription?
  final let weakHandle = WeakHandle()

  /// A copy of a relationship may outlive its destination, and finds the namesake in its own model.
  deinit { weakHandle.letGo(name: name) }

  final var children: [NSEntityDescription] = []
  package final var ownProperties: [NSPropertyDescription] = []
  final var className = "NSManagedObject"
  final var explicitRenamingIdentifier: String?

  // `NSManagedObjectModel.freeze()` fills these in; they are not to be read before.
  final var isFrozen = false

  /// The number that a store gives the entity: 1 and up, in the order of STORE-FORMAT.
  package final var number = 0
  /// The largest number of the entity and its descendants. The numbers of the descendants follow
  /// the entity's without a gap.
  final var lastDescendantNumber = 0
  /// The entity at the top of the inheritance tree, whose table and primary keys this one shares;
  /// valid as long as the model lives.
  unowned(unsafe) final var frozenRoot: NSEntityDescription?
  /// `superentity` without the cost of a weak reference; valid as long as the model lives.
  unowned(unsafe) final var frozenParent: NSEntityDescription?
  /// The layout of the entity's rows in memory, once the model is in use.
  final var frozenLayout: EntityLayout?
  /// All properties: the inherited ones from the root down, then the entity's own, as declared.
  final var allProperties: [NSPropertyDescription] = []
  /// All attributes, in the order of `allProperties`.
  final var allAttributes: [NSAttributeDescription] = []
  /// All relationships, in the order of `allProperties`.
  final var allRelationships: [NSRelationshipDescription] = []
  final var allPropertiesByName: [String: NSPropertyDescription] = [:]
  final var allAttributesByName: [String: NSAttributeDescription] = [:]
  final var allRelationshipsByName: [String: NSRelationshipDescription] = [:]

  open override var description: String { describe() }
}

extension NSEntityDescription {
  /// The entity at the top of the inheritance tree: the entity itself when it inherits from none.
  final var root: NSEntityDescription {
    if let frozenRoot { return frozenRoot }
    var root = self
    while let parent = root.parent {
      root = parent
    }
    return root
  }

  /// Copies what does not lead to other descriptions; `copy(with:)` and the copying of a model call it.
  final func copyState(to copy: NSEntityDescription) {
    copy.name = name
    copy.className = className
    copy.isAbstract = isAbstract
    copy.userInfo = userInfo
    copy.versionHashModifier = versionHashModifier
    copy.explicitRenamingIdentifier = explicitRenamingIdentifier
    copy.uniquenessConstraints = uniquenessConstraints.map { $0.map(Self.propertyName) }
    copy.compoundIndexes = compoundIndexes.map { group in
      (group as? [Any]).map { $0.map(Self.propertyName) } ?? group
    }
  }

  /// The name of a property that is given as a description or by name; any other value unchanged.
  static func propertyName(_ property: Any) -> Any { (property as? NSPropertyDescription)?.name ?? property }

  /// Stops the program when the model is in use.
  final func requireMutable(_ key: String) {
    if isFrozen {
      fatalError(
        """
        entity \(name ?? "(without a name)"): \(key) cannot be set, because the model is in use. \
        Set it before a persistent store coordinator is made with the model, or work on model.copy().
        """
      )
    }
  }

  private func setChildren(_ newChildren: [NSEntityDescription]) {
    requireNoCycle(newChildren)
    for child in children where !newChildren.contains(where: { $0 === child }) {
      child.parent = nil
    }
    for child in newChildren {
      if let parent = child.parent, parent !== self, parent.children.contains(where: { $0 === child }) {
        fatalError(
          """
          entity \(child.name ?? "(without a name)") already inherits from \(parent.name ?? "another entity"); \
          remove it from the subentities there first.
          """
        )
      }
      child.requireMutable("superentity")
      child.parent = self
    }
    children = newChildren
  }

  /// Stops the program where the entity would inherit from itself: a search through its superentities would never end.
  private func requireNoCycle(_ newChildren: [NSEntityDescription]) {
    var ancestor: NSEntityDescription? = self
    while let current = ancestor {
      if newChildren.contains(where: { $0 === current }) {
        let (own, other) = (name ?? "(without a name)", current.name ?? "(without a name)")
        fatalError(
          """
          entity \(other) cannot be a subentity of \(own), \(current === self ? "itself" : "which inherits from it"); \
          take it out of the subentities of one of the two.
          """
        )
      }
      ancestor = current.parent
    }
  }
}
