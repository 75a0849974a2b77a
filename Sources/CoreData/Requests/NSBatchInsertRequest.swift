public import Foundation

/// The form of a batch insertion's result.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// A `Bool` that is true when the request succeeded.
  case statusOnly = 0
  /// The IDs (`[NSManagedObjectID]`) of the objects that were inserted or brought up to date.
  case objectIDs = 1
  /// An `Int`: the number of objects that were inserted or brought up to date.
  case count = 2
}

/// A request that inserts objects in a store itself, without making them in the context.
///
/// ```swift
/// let songs: [[String: Any]] = [
///   ["title": "Low Tide", "seconds": 201],
///   ["title": "Salt on the Stairs", "seconds": 187],
/// ]
/// let request = NSBatchInsertRequest(entityName: "Song", objects: songs)
/// request.resultType = .count
/// let result = try context.execute(request) as? NSBatchInsertResult
/// print(result?.result as? Int ?? 0, "songs are in the store")
/// ```
///
/// Attributes whose values are not given have their default values. Relationships cannot be set, and validation is not
/// run; a value that is required and missing is an error. Where an object breaks a uniqueness constraint, the merge
/// policy of the context decides: an error, or the object in the store keeps its values
/// (``NSMergePolicy/mergeByPropertyStoreTrump``, ``NSMergePolicy/rollback``), takes the values that were given
/// (``NSMergePolicy/mergeByPropertyObjectTrump``), or takes all values (``NSMergePolicy/overwrite``). All objects are
/// inserted, or none. Apple's documentation of `NSBatchInsertRequest`.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  @available(*, unavailable, message: "name the entity: use init(entityName:objects:) or a handler's")
  public override init() { fatalError("use init(entityName:objects:).") }

  /// The name of the entity of the objects.
  public final let entityName: String

  /// The entity of the objects, where the request was made with it.
  public final let entity: NSEntityDescription?

  /// The values of each object by attribute; `NSNull` for none.
  open var objectsToInsert: [[String: Any]]?

  /// Puts the values of the next object into a dictionary, or answers `true` when there is none.
  open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?

  /// Sets the values of the next object, or answers `true` when there is none.
  ///
  /// It is given one object again and again, which is in no context.
  open var managedObjectHandler: ((NSManagedObject) -> Bool)?

  /// The form of the result; a status alone unless set.
  open var resultType: NSBatchInsertRequestResultType = .statusOnly

  private init(entityName: String, entity: NSEntityDescription?) {
    self.entityName = entityName
    self.entity = entity
    super.init()
  }

  /// Inserts an object for each dictionary.
  public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
    self.init(entityName: entityName, entity: nil)
    objectsToInsert = dictionaries
  }

  /// Inserts an object for each dictionary.
  public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    self.init(entityName: entity.name ?? "", entity: entity)
    objectsToInsert = dictionaries
  }

  /// Inserts objects until the handler answers `true`; the values of that last call are not inserted.
  ///
  /// ```swift
  /// var titles = ["Low Tide", "Salt on the Stairs"].makeIterator()
  /// let request = NSBatchInsertRequest(entityName: "Song") { (song: NSMutableDictionary) in
  ///   guard let title = titles.next() else { return true }
  ///   song["title"] = title
  ///   return false
  /// }
  /// try context.execute(request)
  /// ```
  public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
    self.init(entityName: entityName, entity: nil)
    dictionaryHandler = handler
  }

  /// Inserts objects until the handler answers `true`; the values of that last call are not inserted.
  public convenience init(
    entity: NSEntityDescription,
    dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(entityName: entity.name ?? "", entity: entity)
    dictionaryHandler = handler
  }

  /// Inserts objects until the handler answers `true`; the values of that last call are not inserted.
  ///
  /// ```swift
  /// var numbers = (1...100).makeIterator()
  /// let request = NSBatchInsertRequest(entityName: "Note") { (object: NSManagedObject) in
  ///   guard let note = object as? Note, let number = numbers.next() else { return true }
  ///   note.title = "Note \(number)"
  ///   return false
  /// }
  /// try context.execute(request)
  /// ```
  public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
    self.init(entityName: entityName, entity: nil)
    managedObjectHandler = handler
  }

  /// Inserts objects until the handler answers `true`; the values of that last call are not inserted.
  public convenience init(
    entity: NSEntityDescription,
    managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(entityName: entity.name ?? "", entity: entity)
    managedObjectHandler = handler
  }

  open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

  open override var description: String { describe() }
}

/// The result of a batch insertion.
open class NSBatchInsertResult: NSPersistentStoreResult {
  /// The result in the form of the request's `resultType`: a `Bool`, an `Int` or `[NSManagedObjectID]`.
  public final let result: Any?

  /// The form of the result.
  public final let resultType: NSBatchInsertRequestResultType

  init(result: Any?, resultType: NSBatchInsertRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }

  open override var description: String { describe("\(resultType)", result: result) }
}
