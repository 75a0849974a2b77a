public import Foundation
import ModelFormats
import Predicates
import Synchronization

/// A model: the entities of a program, and which of them go into which store.
///
/// ```swift
/// guard let file = Bundle.module.url(forResource: "Garden", withExtension: "momd"),
///   let model = NSManagedObjectModel(contentsOf: file)
/// else { fatalError("the program came without its model") }
/// for entity in model.entities {
///   print(entity.name ?? "", entity.attributesByName.keys.sorted())
/// }
/// let container = NSPersistentContainer(name: "Garden", managedObjectModel: model)
/// ```
///
/// It can be changed until a persistent store coordinator is made with it; changing it later stops
/// the program (Apple raises an exception). After that it is safe to use from any thread.
// Mutable until it is in use, by the one thread that makes it; immutable from then on (requireMutable).
open class NSManagedObjectModel: NSObject, NSCopying, @unchecked Sendable {
  /// Makes an empty model.
  public override init() { super.init() }

  /// The entities, super- and subentities alike. Subentities of those set belong to the model too.
  ///
  /// An entity of another model stops the program, as does a second entity of the same name.
  open var entities: [NSEntityDescription] {
    get { ownEntities }
    set {
      requireMutable("entities")
      setOwnEntities(newValue)
    }
  }

  /// The entities by name.
  open var entitiesByName: [String: NSEntityDescription] { isFrozen ? frozenEntitiesByName : Self.byName(ownEntities) }

  /// Texts in the user's language for names of the model; the keys are those that Apple's
  /// documentation of `localizationDictionary` lists, such as `Property/name/Entity/Person`.
  open var localizationDictionary: [String: String]?

  /// Identifiers of the model's version, which a store keeps in its metadata.
  open var versionIdentifiers: Set<AnyHashable> = [] { willSet { requireMutable("versionIdentifiers") } }

  /// A copy of the model with copies of all entities and properties, which can be changed.
  open func copy(with zone: NSZone? = nil) -> Any { ModelCopier(of: self).copy }

  final var ownEntities: [NSEntityDescription] = []
  /// The names of the entities of each configuration.
  final var configurationMembers: [String: [String]] = [:]
  /// The packages of versions that the model was read from; none where it was made in code.
  final var packages: [URL] = []
  /// The fetch request templates, by name.
  final var templates: [String: NSFetchRequest<NSFetchRequestResult>] = [:]

  // `freeze()` fills these in; they are not to be read before.
  @exclusivity(unchecked) final var isFrozen = false
  @exclusivity(unchecked) final var frozenEntitiesByName: [String: NSEntityDescription] = [:]
  /// The entities in the order of their numbers: entity number n is at index n - 1.
  final var numberedEntities: [NSEntityDescription] = []
  /// The version hashes of a model in use, once they have been asked for.
  final let frozenVersionHashes = Mutex<ModelVersionHashes?>(nil)
  /// What stores derive from the model once it is in use.
  final let caches = ModelCaches()

  /// Models are equal when they say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectModel else { return false }
    return self === other || sortedDocument == other.sortedDocument
  }

  open override var hash: Int { Set(ownEntities.compactMap(\.name)).hashValue }

  private final var sortedDocument: ModelDocument {
    var document = ModelDocument(self)
    document.entities.sort { $0.name < $1.name }
    return document
  }

  open override var description: String { describe() }
}

extension NSManagedObjectModel {
  static func byName(_ entities: [NSEntityDescription]) -> [String: NSEntityDescription] {
    Dictionary(entities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Stops the program when the model is in use.
  final func requireMutable(_ key: String) {
    if isFrozen {
      fatalError(
        """
        managed object model: \(key) cannot be set, because the model is in use. \
        Set it before a persistent store coordinator is made with the model, or work on model.copy().
        """
      )
    }
  }

  /// Entities with all their descendants, each once, a parent before its children where it was not listed before.
  static func withDescendants(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    var seen = Set(entities.map(ObjectIdentifier.init))
    var result = entities
    var index = 0
    while index < result.count {
      result += result[index].children.filter { seen.insert(ObjectIdentifier($0)).inserted }
      index += 1
    }
    return result
  }

  private func setOwnEntities(_ newEntities: [NSEntityDescription]) {
    var names: Set<String> = []
    for entity in newEntities {
      if let other = entity.model, other !== self {
        fatalError(
          """
          entity \(entity.name ?? "(without a name)") cannot be used in two models; \
          use a copy of the other model: model.copy().
          """
        )
      }
      if let name = entity.name, !names.insert(name).inserted {
        fatalError("the model already contains an entity named \(name); give each a name of its own.")
      }
    }
    for entity in ownEntities { entity.model = nil }
    ownEntities = newEntities
    for entity in newEntities { entity.model = self }
  }
}

extension NSManagedObjectModel {
  /// The fetch request templates, by name.
  public final var fetchRequestTemplatesByName: [String: NSFetchRequest<NSFetchRequestResult>] {
    templates.compactMapValues { $0.copy() as? NSFetchRequest<NSFetchRequestResult> }
  }

  /// Sets or, with `nil`, removes a fetch request template.
  ///
  /// ```swift
  /// let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Plant")
  /// template.predicate = NSPredicate(format: "name BEGINSWITH $PREFIX")
  /// model.setFetchRequestTemplate(template, forName: "byPrefix")
  /// ```
  public final func setFetchRequestTemplate(
    _ fetchRequestTemplate: NSFetchRequest<NSFetchRequestResult>?,
    forName name: String
  ) {
    requireMutable("fetch request template \(name)")
    templates[name] = fetchRequestTemplate?.copy() as? NSFetchRequest<NSFetchRequestResult>
  }

  /// A fetch request template, or `nil` when there is none of the name.
  ///
  /// It is a copy, which the caller may run or change. For a template with `$names` in its
  /// predicate there is `fetchRequestFromTemplate(withName:substitutionVariables:)`.
  public final func fetchRequestTemplate(forName name: String) -> NSFetchRequest<NSFetchRequestResult>? {
    templates[name]?.copy() as? NSFetchRequest<NSFetchRequestResult>
  }

  /// A fetch request from a template, with values for the `$names` in its predicate; `nil` when
  /// there is no template with the name.
  ///
  /// ```swift
  /// let request = model.fetchRequestFromTemplate(
  ///   withName: "byPrefix",
  ///   substitutionVariables: ["PREFIX": "Th"]
  /// )
  /// print(request?.predicate?.description ?? "")  // name BEGINSWITH "Th"
  /// ```
  public final func fetchRequestFromTemplate(
    withName name: String,
    substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<NSFetchRequestResult>? {
    let request = fetchRequestTemplate(forName: name)
    request?.predicate = request?.predicate?.withSubstitutionVariables(variables)
    return request
  }
}

/// Copies a whole model, so that the copies refer to each other and to no part of the original.
struct ModelCopier {
  let copy = NSManagedObjectModel()

  private var entities: [ObjectIdentifier: NSEntityDescription] = [:]
  private var properties: [ObjectIdentifier: NSPropertyDescription] = [:]

  init(of model: NSManagedObjectModel) {
    let originals = NSManagedObjectModel.withDescendants(model.ownEntities)
    for original in originals { copyEntity(original) }
    for original in originals { connect(original) }
    copy.entities = originals.compactMap { entities[ObjectIdentifier($0)] }
    copy.configurationMembers = model.configurationMembers
    copy.templates = model.templates.compactMapValues { $0.copy() as? NSFetchRequest<NSFetchRequestResult> }
    copy.versionIdentifiers = model.versionIdentifiers
    copy.localizationDictionary = model.localizationDictionary
    copy.packages = model.packages
  }

  private mutating func copyEntity(_ original: NSEntityDescription) {
    let entity = NSEntityDescription()
    original.copyState(to: entity)
    var copies: [NSPropertyDescription] = []
    for property in original.ownProperties {
      guard let copy = property.copy() as? NSPropertyDescription else { continue }
      properties[ObjectIdentifier(property)] = copy
      copies.append(copy)
    }
    entity.properties = copies
    entity.indexes = original.indexes.compactMap { $0.copy() as? NSFetchIndexDescription }
    entities[ObjectIdentifier(original)] = entity
  }

  private func connect(_ original: NSEntityDescription) {
    guard let entity = entities[ObjectIdentifier(original)] else { return }
    entity.subentities = original.children.compactMap { entities[ObjectIdentifier($0)] }
    for case let former as NSRelationshipDescription in original.ownProperties {
      guard let relationship = properties[ObjectIdentifier(former)] as? NSRelationshipDescription else { continue }
      // The former relationship is used, because a copy has no model yet in which it could look up a removed entity.
      if let destination = former.destinationEntity {
        relationship.destination = entities[ObjectIdentifier(destination)] ?? destination
      }
      if let inverse = former.inverseRelationship {
        let copy = properties[ObjectIdentifier(inverse)] as? NSRelationshipDescription
        relationship.inverse = copy ?? inverse
      }
    }
  }
}
