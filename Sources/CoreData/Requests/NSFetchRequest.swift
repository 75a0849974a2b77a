public import Foundation
import Predicates

/// The types of which a fetch request's results can be.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// The form of a fetch's results.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Managed objects.
  public static let managedObjectResultType = NSFetchRequestResultType([])
  /// The IDs of managed objects.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  /// A dictionary of values for each object.
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  /// A single number: that of the objects.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// A search for objects of one entity: which of them, in which order, and in which form.
///
/// ```swift
/// let request = NSFetchRequest<Note>(entityName: "Note")
/// request.predicate = NSPredicate(format: "title CONTAINS[cd] %@", "apple")
/// request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: false)]
/// request.fetchLimit = 20
/// for note in try context.fetch(request) {
///   print(note.title)
/// }
/// ```
///
/// `ResultType` is the class of the results: a subclass of `NSManagedObject`, or `NSManagedObjectID`, `NSDictionary` or
/// `NSNumber` as ``resultType`` says. Apple's documentation of `NSFetchRequest`.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest, NSCopying {
  /// Makes a request that has no entity yet.
  public override init() { super.init() }

  /// Makes a request for the objects of an entity, which the context's model must have.
  ///
  /// ```swift
  /// let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
  /// let names = try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
  /// ```
  public convenience init(entityName: String) {
    self.init()
    givenName = entityName
  }

  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// Returns the objects that the request finds, in the form that it asks for, in the context whose
  /// work the caller is part of.
  ///
  /// ```swift
  /// let notes = try context.performAndWait { try Note.fetchRequest().execute() }
  /// ```
  ///
  /// It is called inside of a context's ``NSManagedObjectContext/perform(_:)`` or
  /// `NSManagedObjectContext.performAndWait(_:)`, and stops the program elsewhere. Apple's
  /// documentation of `NSFetchRequest`.
  ///
  /// - Throws: the errors of ``NSManagedObjectContext/fetch(_:)``.
  open func execute() throws -> [ResultType] {
    guard let context = NSManagedObjectContext.current else {
      fatalError("execute() is for the work of a context; call it inside of perform(_:), or use context.fetch(_:).")
    }
    return try context.fetch(self)
  }

  /// The entity whose objects are searched for.
  @exclusivity(unchecked) open var entity: NSEntityDescription?

  /// The name of the entity.
  public final var entityName: String? { entity?.name ?? givenName }

  /// The name that the request was made for.
  @exclusivity(unchecked) final var givenName: String?

  /// The predicate that the objects have to fulfil; `nil` for all objects.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Note>(entityName: "Note")
  /// request.predicate = NSPredicate(format: "isPinned == YES AND author.name == %@", "Ines")
  /// let pinned = try context.fetch(request)
  /// ```
  @exclusivity(unchecked) open var predicate: NSPredicate?

  /// The order of the results; none in particular when there are no descriptors.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Note>(entityName: "Note")
  /// request.sortDescriptors = [
  ///   NSSortDescriptor(keyPath: \Note.isPinned, ascending: false),
  ///   NSSortDescriptor(keyPath: \Note.title, ascending: true),
  /// ]
  /// let titles = try context.fetch(request).map(\.title)
  /// ```
  @exclusivity(unchecked) open var sortDescriptors: [NSSortDescriptor]?

  /// The largest number of results; 0 for no limit.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Note>(entityName: "Note")
  /// request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: false)]
  /// request.fetchLimit = 1
  /// let newest = try context.fetch(request).first
  /// ```
  @exclusivity(unchecked) open var fetchLimit = 0

  /// The number of results that are left out at the beginning.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Note>(entityName: "Note")
  /// request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: true)]
  /// request.fetchLimit = 2
  /// request.fetchOffset = 2
  /// let secondPage = try context.fetch(request)
  /// ```
  @exclusivity(unchecked) open var fetchOffset = 0

  /// The form of the results.
  ///
  /// ```swift
  /// let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
  /// request.resultType = .managedObjectIDResultType
  /// let ids = try context.fetch(request)
  /// ```
  @exclusivity(unchecked) open var resultType: NSFetchRequestResultType = .managedObjectResultType

  /// A Boolean value that is true when objects of the entity's subentities are found too; `true` unless set.
  @exclusivity(unchecked) open var includesSubentities = true

  /// A Boolean value that is true when the values come with the objects, and false when they are
  /// fetched when they are first asked for; `true` unless set. IDs come without values.
  @exclusivity(unchecked) open var includesPropertyValues = true

  /// A Boolean value that is true when objects are returned as faults, whose values are in memory
  /// but not read yet; `true` unless set.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Note>(entityName: "Note")
  /// request.returnsObjectsAsFaults = false
  /// let notes = try context.fetch(request)
  /// print(notes.filter(\.isFault).count)  // 0
  /// ```
  @exclusivity(unchecked) open var returnsObjectsAsFaults = true

  /// A Boolean value that is true when unsaved changes of the context count, as far as they touch
  /// objects of the entity; `true` unless set.
  ///
  /// ```swift
  /// let draft = Note(context: context)
  /// draft.title = "Mend the fence"
  ///
  /// let request = NSFetchRequest<Note>(entityName: "Note")
  /// request.includesPendingChanges = false
  /// let saved = try context.fetch(request)
  /// ```
  @exclusivity(unchecked) open var includesPendingChanges = true

  /// A Boolean value that is true when objects that the context has already get the values of the
  /// store; unsaved changes stay. `false` unless set.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Note>(entityName: "Note")
  /// request.predicate = NSPredicate(format: "isPinned == YES")
  /// request.shouldRefreshRefetchedObjects = true
  /// let pinned = try context.fetch(request)
  /// ```
  @exclusivity(unchecked) open var shouldRefreshRefetchedObjects = false

  /// The number of objects that get their values together, when the first of them is used; 0 for
  /// all objects at once, with the fetch.
  ///
  /// The result holds an object for each of its places all the same, which is small until it has values.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Note>(entityName: "Note")
  /// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
  /// request.fetchBatchSize = 50
  /// let notes = try context.fetch(request)
  /// print(notes.count, "notes, of which the first 50 are read when one of them is used")
  /// ```
  @exclusivity(unchecked) open var fetchBatchSize = 0

  /// The relationships whose destinations are fetched with the objects, one query for each key of each key path.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Note>(entityName: "Note")
  /// request.relationshipKeyPathsForPrefetching = ["author", "tags"]
  /// let lines = try context.fetch(request).map { note in
  ///   "\(note.author?.name ?? "nobody"): \(note.title), \(note.tags.count) tags"
  /// }
  /// ```
  @exclusivity(unchecked) open var relationshipKeyPathsForPrefetching: [String]?

  /// The properties that dictionaries contain: names, key paths across to-one relationships, or
  /// descriptions, also of expressions (``NSExpressionDescription``); all attributes when `nil`.
  /// Names of properties of an ``entity`` that was set read as their descriptions.
  ///
  /// An expression of a function over many values (`max:` of `rating`) has one value for all
  /// objects, or for each group of ``propertiesToGroupBy``.
  ///
  /// ```swift
  /// let request = NSFetchRequest<NSDictionary>(entityName: "Note")
  /// request.resultType = .dictionaryResultType
  /// request.propertiesToFetch = ["title", "author.name"]
  /// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
  /// let rows = try context.fetch(request)
  /// print(rows.last?["author.name"] ?? "nobody")
  /// ```
  open var propertiesToFetch: [Any]? { didSet { propertiesToFetch = propertiesToFetch.map(described) } }

  /// The properties whose values make a group of those dictionaries that have the same; `nil` for
  /// no groups. Names of properties of an ``entity`` that was set read as their descriptions.
  ///
  /// ```swift
  /// let best = NSExpressionDescription()
  /// best.name = "best"
  /// best.expression = NSExpression(format: "max:(rating)")
  /// best.expressionResultType = .integer64AttributeType
  ///
  /// let request = NSFetchRequest<NSDictionary>(entityName: "Note")
  /// request.resultType = .dictionaryResultType
  /// request.propertiesToFetch = ["isPinned", best]
  /// request.propertiesToGroupBy = ["isPinned"]
  /// let groups = try context.fetch(request)
  /// ```
  open var propertiesToGroupBy: [Any]? { didSet { propertiesToGroupBy = propertiesToGroupBy.map(described) } }

  private final func described(_ properties: [Any]) -> [Any] {
    properties.map { property in (property as? String).flatMap { entity?.propertiesByName[$0] } ?? property }
  }

  /// The predicate that a group has to fulfil, over its properties and functions over the values of its objects.
  ///
  /// ```swift
  /// let request = NSFetchRequest<NSDictionary>(entityName: "Note")
  /// request.resultType = .dictionaryResultType
  /// request.propertiesToFetch = ["isPinned"]
  /// request.propertiesToGroupBy = ["isPinned"]
  /// request.havingPredicate = NSPredicate(format: "max:(rating) > 4")
  /// let groups = try context.fetch(request)
  /// ```
  @exclusivity(unchecked) open var havingPredicate: NSPredicate?

  /// A Boolean value that is true when each dictionary comes once; `false` unless set.
  ///
  /// ```swift
  /// let request = NSFetchRequest<NSDictionary>(entityName: "Note")
  /// request.resultType = .dictionaryResultType
  /// request.propertiesToFetch = ["isPinned"]
  /// request.returnsDistinctResults = true
  /// let kinds = try context.fetch(request)
  /// ```
  @exclusivity(unchecked) open var returnsDistinctResults = false

  open func copy(with zone: NSZone? = nil) -> Any { copy(of: ResultType.self) }

  /// The request that holds the settings, also of one that was cast.
  var castOriginal: any AnyFetchRequest { self }

  /// A request that is the same but for the class of its results.
  final func copy<Result>(of resultClass: Result.Type) -> NSFetchRequest<Result> {
    let copy = NSFetchRequest<Result>()
    copy.copySettings(from: self)
    return copy
  }

  /// Copies the settings of another request, which may have another class of results.
  final func copySettings<Other>(from other: NSFetchRequest<Other>) {
    affectedStores = other.affectedStores
    entity = other.entity
    givenName = other.entityName
    predicate = other.predicate
    sortDescriptors = other.sortDescriptors
    fetchLimit = other.fetchLimit
    fetchOffset = other.fetchOffset
    resultType = other.resultType
    includesSubentities = other.includesSubentities
    includesPropertyValues = other.includesPropertyValues
    returnsObjectsAsFaults = other.returnsObjectsAsFaults
    includesPendingChanges = other.includesPendingChanges
    shouldRefreshRefetchedObjects = other.shouldRefreshRefetchedObjects
    fetchBatchSize = other.fetchBatchSize
    propertiesToFetch = other.propertiesToFetch
    relationshipKeyPathsForPrefetching = other.relationshipKeyPathsForPrefetching
    propertiesToGroupBy = other.propertiesToGroupBy
    havingPredicate = other.havingPredicate
    returnsDistinctResults = other.returnsDistinctResults
  }

  open override var description: String { describe() }
}

/// The part of a fetch request that the context needs, for every class of results.
protocol AnyFetchRequest: NSPersistentStoreRequest {
  var entity: NSEntityDescription? { get set }
  var entityName: String? { get }
  var predicate: NSPredicate? { get set }
  var sortDescriptors: [NSSortDescriptor]? { get set }
  var fetchLimit: Int { get set }
  var fetchOffset: Int { get set }
  var resultType: NSFetchRequestResultType { get set }
  var includesSubentities: Bool { get set }
  var includesPropertyValues: Bool { get set }
  var returnsObjectsAsFaults: Bool { get set }
  var includesPendingChanges: Bool { get set }
  var shouldRefreshRefetchedObjects: Bool { get set }
  var fetchBatchSize: Int { get set }
  var relationshipKeyPathsForPrefetching: [String]? { get set }
  var propertiesToFetch: [Any]? { get set }
  var propertiesToGroupBy: [Any]? { get set }
  var havingPredicate: NSPredicate? { get set }
  var returnsDistinctResults: Bool { get set }

  var castOriginal: any AnyFetchRequest { get }

  func copy<Result>(of resultClass: Result.Type) -> NSFetchRequest<Result>

  /// Returns the results of the request in the form that it asks for.
  func results(in context: NSManagedObjectContext) throws -> [Any]

  /// Carries the request out at once, and wraps what it finds.
  func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSFetchRequest: AnyFetchRequest {}

extension AnyFetchRequest {
  /// True when objects or their IDs are fetched.
  var isOfObjects: Bool { resultType == .managedObjectResultType || resultType == .managedObjectIDResultType }

  /// True when IDs are fetched, and nothing is done with their objects that takes values.
  private var isOfKeysAlone: Bool {
    resultType == .managedObjectIDResultType && returnsObjectsAsFaults && !shouldRefreshRefetchedObjects
      && relationshipKeyPathsForPrefetching == nil
  }

  /// - Throws: the error of a fetch inside of the predicate.
  func query(for entity: NSEntityDescription) throws -> FetchQuery {
    var query = FetchQuery(entity: entity)
    query.includesSubentities = includesSubentities
    query.predicate = try predicate?.resolvingFetches()
    query.sortDescriptors = sortDescriptors ?? []
    query.limit = max(fetchLimit, 0)
    query.offset = max(fetchOffset, 0)
    query.includesRows = includesPropertyValues && !isOfKeysAlone
    query.stores = storeIndexes
    return query
  }
}
