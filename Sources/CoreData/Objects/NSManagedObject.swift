public import Foundation

/// An object that a context manages: the values of one record, and its relationships to others.
///
/// ```swift
/// final class Song: NSManagedObject {
///   @NSManaged var title: String
///   @NSManaged var seconds: Int32
/// }
///
/// let song = Song(context: context)
/// song.title = "The Heron's Hour"
/// song.seconds = 214
/// try context.save()
/// ```
///
/// Subclasses declare their properties, and the values live in a row that is read straight from the store; use an
/// object only on the queue of its context. Apple's documentation of `NSManagedObject`.
open class NSManagedObject: NSObject {
  /// The values, in memory that ``slab`` owns; `nil` while they have to be fetched first.
  @exclusivity(unchecked) final var base: UnsafeMutableRawPointer?
  @exclusivity(unchecked) final var slab: RowSlab?
  @exclusivity(unchecked) final var key: Int64
  @exclusivity(unchecked) final var store: Int32
  @exclusivity(unchecked) final var state: ObjectState
  // The model owns its layouts, and the registry, which the object owns, the model.
  @exclusivity(unchecked) final unowned(unsafe) var layout: EntityLayout
  @exclusivity(unchecked) final var registry: ObjectRegistry
  @exclusivity(unchecked) final var extras: ObjectExtras?

  /// Makes an object of an entity and inserts it into a context, or into none.
  ///
  /// An object without a context keeps values and relationships but cannot be saved before it is inserted.
  ///
  /// ```swift
  /// if let entity = model.entitiesByName["Song"] {
  ///   let song = NSManagedObject(entity: entity, insertInto: context)
  ///   song.setValue("Low Tide", forKey: "title")
  /// }
  /// ```
  public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    if let context, let row = context.popRow(passedAs: entity) {
      layout = row.layout
      registry = context.registry
      key = row.key
      store = row.store
      base = row.base
      slab = row.slab
      state = row.state
      super.init()
      return
    }
    let layout = entity.layoutForNewObject()
    let row = layout.newRow()
    self.layout = layout
    registry = context?.registry ?? ObjectRegistry(model: entity.managedObjectModel, context: nil)
    key = TemporaryKey.next()
    store = ObjectReference.noStore
    base = row.base
    slab = row.slab
    state = layout.initialState
    super.init()
    context?.insert(self)
  }

  /// Makes an object of its class's entity in the models in use, in no context.
  ///
  /// The object has an entity without properties where no model in use knows the class: it can be passed around and
  /// compared, and reading a property of it stops the program, as on Apple's platforms.
  public override convenience init() {
    self.init(entity: ClassRegister.entityOfNewObject(of: Self.self), insertInto: nil)
  }

  /// Makes an object of a class that is known at run time only. Its entity is the given one; if
  /// that is `nil`, the entity of the object that the context is about to make, or else the class's
  /// entity. The caller gives a context, an entity, or both.
  public required convenience init(_madeIn context: NSManagedObjectContext?, of entity: NSEntityDescription?) {
    let entity = entity ?? context?.popEntityToInstantiate() ?? context?.entity(for: Self.self)
    self.init(entity: entity ?? Self.entity(), insertInto: context)
  }

  deinit {
    // First: a context that another thread releases looks for extras among the registered objects.
    if state.contains(.registered) {
      // Not retained for it: the object owns it.
      Unmanaged.passUnretained(registry)._withUnsafeGuaranteedRef { registry in
        registry.remove(Unmanaged.passUnretained(self).toOpaque(), reference: reference, root: layout.rootNumber)
      }
    }
    if extras?.hasLinks == true { LinkRelease.release(&extras) }
  }

  final var reference: ObjectReference { ObjectReference(key: key, entity: layout.number, store: store) }

  // MARK: - What the object is

  /// The class's entity in the models in use; the class must belong to exactly one entity.
  ///
  /// ```swift
  /// let names = Note.entity().attributesByName.keys.sorted()
  /// print(names)  // ["createdAt", "isPinned", "rating", "text", "title"]
  /// ```
  open class func entity() -> NSEntityDescription { ClassRegister.entity(of: self) }

  /// A request for the objects of the class's entity.
  ///
  /// If the caller does not specify the type of the request, Swift prefers a class's own function with this name.
  ///
  /// ```swift
  /// let request: NSFetchRequest<any NSFetchRequestResult> = Author.fetchRequest()
  /// let count = try context.count(for: request)
  /// ```
  @_disfavoredOverload
  open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entity()
    return request
  }

  /// A Boolean value that is true when changes of properties that are not in the model leave the
  /// object unchanged. Always true here.
  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  /// The context that manages the object; `nil` when it is in none.
  ///
  /// ```swift
  /// if let context = note.managedObjectContext, context.hasChanges {
  ///   try context.save()
  /// }
  /// ```
  open var managedObjectContext: NSManagedObjectContext? { state.contains(.inaccessible) ? nil : registry.context }

  /// The entity of the object.
  open var entity: NSEntityDescription { layout.entity }

  /// The identity of the object; temporary until it is first saved.
  open var objectID: NSManagedObjectID { currentObjectID() }

  // MARK: - What is happening to it

  /// A Boolean value that is true when the object is new in its context since the last save.
  ///
  /// ```swift
  /// let draft = Note(context: context)
  /// print(draft.isInserted, note.isInserted)  // true false
  /// ```
  open var isInserted: Bool { state.contains(.inserted) && !state.contains(.deleted) }

  /// A Boolean value that is true when the object has changed since the last save, and was there before.
  ///
  /// ```swift
  /// note.rating = 4
  /// print(note.isUpdated)  // true
  /// ```
  open var isUpdated: Bool { state.intersection(.changed) == .updated }

  /// A Boolean value that is true when the next save deletes the object.
  ///
  /// ```swift
  /// context.delete(note)
  /// print(note.isDeleted)  // true
  /// ```
  open var isDeleted: Bool { state.contains(.deleted) }

  /// A Boolean value that is true when the object is inserted, updated or deleted.
  open var hasChanges: Bool { !state.isDisjoint(with: .changed) }

  /// A Boolean value that is true when a save would change what is kept of the object: an object
  /// that was set back has no such changes.
  ///
  /// ```swift
  /// let rating = note.rating
  /// note.rating = 1
  /// note.rating = rating
  /// print(note.hasChanges, note.hasPersistentChangedValues)  // true false
  /// ```
  open var hasPersistentChangedValues: Bool {
    checkConfinement()
    return state.contains(.inserted) || hasChanges && !persistentChanges().isEmpty
  }

  /// A Boolean value that is true while the object is a fault: its values have not been asked for
  /// since it was fetched or last turned into a fault.
  ///
  /// ```swift
  /// let notes = try context.fetch(Note.fetchRequest())
  /// print(notes[0].isFault)  // true
  /// print(notes[0].title, notes[0].isFault)  // the title, and false
  /// ```
  open var isFault: Bool { state.contains(.fault) }

  /// 0 when the object is not a fault.
  open var faultingState: Int { isFault ? 1 : 0 }

  /// Returns true when the destinations of a relationship have not been asked for.
  ///
  /// ```swift
  /// print(note.hasFault(forRelationshipNamed: "tags"))  // true
  /// print(note.tags.count, note.hasFault(forRelationshipNamed: "tags"))  // 1 false
  /// ```
  open func hasFault(forRelationshipNamed key: String) -> Bool {
    checkConfinement()
    return hasRelationshipFault(key)
  }

  /// The IDs of a relationship's destinations, whose values are not fetched for it.
  ///
  /// ```swift
  /// let tagIDs = note.objectIDs(forRelationshipNamed: "tags")
  /// print(tagIDs.count)  // 1
  /// ```
  open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
    destinationIDs(forRelationshipNamed: key)
  }

  /// The persistent properties that changed since the object was fetched or last saved, with their values now: `NSNull`
  /// where there is none. Of an object that was never saved, all that have a value.
  ///
  /// ```swift
  /// note.rating = 4
  /// print(note.changedValues())  // ["rating": 4]
  /// ```
  open func changedValues() -> [String: Any] {
    checkConfinement()
    return dictionaryWithValues(forKeys: changedKeys())
  }

  /// The persistent properties that changed since the context last posted `NSManagedObjectContextObjectsDidChange`,
  /// with their values before: `NSNull` where there was none, as for every property of an object that was inserted
  /// since. The observers of that notification are still told.
  ///
  /// Apple's documentation of this method says that the values are the old ones.
  ///
  /// ```swift
  /// note.rating = 4
  /// context.processPendingChanges()
  /// note.isPinned = false
  /// print(note.changedValuesForCurrentEvent().keys)  // ["isPinned"]
  /// ```
  open func changedValuesForCurrentEvent() -> [String: Any] {
    checkConfinement()
    return valuesBeforeEvent()
  }

  /// The persistent properties as they were fetched or last saved, `NSNull` where there was no
  /// value; all of them when no keys are named. A new object has none.
  ///
  /// ```swift
  /// note.title = "Fell the apple tree"
  /// let before = note.committedValues(forKeys: ["title"])
  /// print(before["title"] ?? "")  // Prune the apple tree
  /// ```
  open func committedValues(forKeys keys: [String]?) -> [String: Any] { valuesCommitted(forKeys: keys) }

  // MARK: - Its life, for subclasses to override

  /// Called once when the object is inserted into a context, after the default values are set.
  ///
  /// ```swift
  /// final class Visit: NSManagedObject {
  ///   override func awakeFromInsert() {
  ///     super.awakeFromInsert()
  ///     setPrimitiveValue(Date(), forKey: "begunAt")
  ///   }
  /// }
  /// ```
  open func awakeFromInsert() {}

  /// Called each time that the object's values have been fetched.
  ///
  /// ```swift
  /// final class Ledger: NSManagedObject {
  ///   private(set) var total = 0
  ///
  ///   override func awakeFromFetch() {
  ///     super.awakeFromFetch()
  ///     let amounts = ["debit", "credit"].map { primitiveValue(forKey: $0) as? Int ?? 0 }
  ///     total = amounts.reduce(0, +)
  ///   }
  /// }
  /// ```
  open func awakeFromFetch() {}

  /// Called when undo, redo, rollback, a refresh or a merge policy has given the object other values. Override it to
  /// compute transient values again. Changes made here do not mark the object as changed.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

  /// Called when the object is about to be deleted, before its relationships are.
  ///
  /// ```swift
  /// final class Photo: NSManagedObject {
  ///   override func prepareForDeletion() {
  ///     super.prepareForDeletion()
  ///     if let path = value(forKey: "path") as? String {
  ///       print("\(path) can be removed when the deletion is saved")
  ///     }
  ///   }
  /// }
  /// ```
  open func prepareForDeletion() {}

  /// Called before the context is saved, for a deleted object too. Changes made here are saved too,
  /// and have it called again: compare before you set a property, or set primitive values.
  ///
  /// ```swift
  /// final class Harvest: NSManagedObject {
  ///   override func willSave() {
  ///     super.willSave()
  ///     if !isDeleted { setPrimitiveValue(Date(), forKey: "changedAt") }
  ///   }
  /// }
  /// ```
  open func willSave() {}

  /// Called when the context has been saved.
  ///
  /// ```swift
  /// final class Delivery: NSManagedObject {
  ///   private(set) var saveCount = 0
  ///
  ///   override func didSave() {
  ///     super.didSave()
  ///     saveCount += 1
  ///   }
  /// }
  /// ```
  open func didSave() {}

  /// Called before the values are dropped.
  open func willTurnIntoFault() {}

  /// Called when the values have been dropped.
  open func didTurnIntoFault() {}

  // MARK: - Access notifications

  /// Fetches the values if need be; custom accessors call it before they read a primitive value.
  ///
  /// ```swift
  /// final class Reading: NSManagedObject {
  ///   var celsius: Double {
  ///     willAccessValue(forKey: "kelvin")
  ///     let kelvin = primitiveValue(forKey: "kelvin") as? Double ?? 0
  ///     didAccessValue(forKey: "kelvin")
  ///     return kelvin - 273.15
  ///   }
  /// }
  /// ```
  open func willAccessValue(forKey key: String?) { fireFaultIfNeeded() }

  /// Custom accessors call it after they read a primitive value.
  open func didAccessValue(forKey key: String?) {}

  /// Custom accessors call it before they set a primitive value.
  ///
  /// ```swift
  /// final class Meter: NSManagedObject {
  ///   func advance(to count: Int) {
  ///     willChangeValue(forKey: "count")
  ///     setPrimitiveValue(count, forKey: "count")
  ///     didChangeValue(forKey: "count")
  ///   }
  /// }
  /// ```
  open func willChangeValue(forKey key: String) { fireFaultIfNeeded() }

  /// Custom accessors call it after they set a primitive value: the object is marked as changed from here on.
  open func didChangeValue(forKey key: String) {
    checkConfinement()
    recordChange()
  }

  /// Custom accessors of an ordered relationship call it before they change its primitive value at some places.
  open func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    willChangeValue(forKey: key)
  }

  /// Custom accessors of an ordered relationship call it after they changed its primitive value at some places.
  open func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    didChangeValue(forKey: key)
  }

  /// Custom accessors of a to-many relationship call it before they change its primitive value.
  open func willChangeValue(
    forKey inKey: String,
    withSetMutation inMutationKind: NSKeyValueSetMutationKind,
    using inObjects: Set<AnyHashable>
  ) { willChangeValue(forKey: inKey) }

  /// Custom accessors of a to-many relationship call it after they changed its primitive value.
  open func didChangeValue(
    forKey inKey: String,
    withSetMutation inMutationKind: NSKeyValueSetMutationKind,
    using inObjects: Set<AnyHashable>
  ) { didChangeValue(forKey: inKey) }

  // MARK: - Values by name

  /// The value of a property: `NSNumber` for numbers and booleans, `NSSet` or `NSOrderedSet` for to-many relationships.
  ///
  /// A custom accessor of the class is called (`@objc`, on Apple's platforms), and so are computed
  /// properties that the entity does not have. Other keys go to ``value(forUndefinedKey:)``.
  ///
  /// ```swift
  /// let title = note.value(forKey: "title") as? String
  /// let author = note.value(forKey: "author") as? NSManagedObject
  /// print(title ?? "", author?.value(forKey: "name") ?? "")  // Prune the apple tree Ines
  /// ```
  open func value(forKey key: String) -> Any? {
    if let member = memberInFront(of: key) { return member.read(self) }
    return readValue(forKey: key)
  }

  /// Sets a property. A relationship's inverse is set with it.
  ///
  /// A custom accessor of the class is called, as ``value(forKey:)`` does. `nil` for a property that has no `nil` goes
  /// to ``setNilValueForKey(_:)``, and a key that there is none of to ``setValue(_:forUndefinedKey:)``.
  ///
  /// ```swift
  /// let author = Author(context: context)
  /// note.setValue(author, forKey: "author")
  /// note.setValue(4, forKey: "rating")
  /// print(author.notes.contains(note))  // true
  /// ```
  open func setValue(_ value: Any?, forKey key: String) {
    if let member = memberInFront(of: key) { return write(value, to: member, key: key) }
    if value == nil, keyedMembers.scalars.contains(key) { return setNilValueForKey(key) }
    guard layout.names.index(of: key) != nil else { return setValueOfOtherKey(value, key: key) }
    writeValue(value, forKey: key)
  }

  /// The value of a key that neither the entity nor the class has. Override it to answer such keys;
  /// otherwise they are programmer's errors, and in predicates errors of the fetch.
  ///
  /// ```swift
  /// final class Product: NSManagedObject {
  ///   override func value(forUndefinedKey key: String) -> Any? {
  ///     key == "label" ? "No. \(value(forKey: "number") ?? "")" : super.value(forUndefinedKey: key)
  ///   }
  /// }
  /// ```
  open func value(forUndefinedKey key: String) -> Any? {
    refuseUndefinedKey(key)
    return nil
  }

  /// Sets a key that neither the entity nor the class has. Override it to take such keys; otherwise
  /// they are programmer's errors.
  open func setValue(_ value: Any?, forUndefinedKey key: String) { failUnknown(key) }

  /// Called when `nil` is set by key for a property whose type in the class has none, such as `Int32`: override it to
  /// choose a value. Otherwise an attribute has no value then, and reads as 0.
  open func setNilValueForKey(_ key: String) { refuseNil(key) }

  /// The key paths that the value of a key depends on: what the class's method
  /// `keyPathsForValuesAffecting<Key>` answers, or none.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    ClassMembers.all(of: self).affectingKeyPaths[ClassMembers.capitalized(key)]?() ?? []
  }

  /// The same as `value(forKey:)` and `setValue(_:forKey:)`.
  ///
  /// ```swift
  /// note["text"] = "in February, before the sap rises"
  /// let text = note["text"] as? String
  /// ```
  public final subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The value of a property, without access notifications; `nil` while the object is a fault.
  open func primitiveValue(forKey key: String) -> Any? {
    checkConfinement()
    return readPrimitiveValue(forKey: key)
  }

  /// Sets a property without change notifications: the object is not marked as changed.
  ///
  /// ```swift
  /// note.setPrimitiveValue("read in the meantime", forKey: "text")
  /// print(note.text ?? "", note.hasChanges)  // read in the meantime false
  /// ```
  open func setPrimitiveValue(_ value: Any?, forKey key: String) { writePrimitiveValue(value, forKey: key) }

  // MARK: - Validation

  /// Checks one value, and may put a better one in its place.
  ///
  /// Every save calls it for each property of each object that it inserts or changes. It checks
  /// what the model says, and then calls the method of the class that is named `validate<Key>`, if
  /// there is one. Override it for checks of many keys, and hand on what is not yours:
  ///
  /// ```swift
  /// class Named: NSManagedObject {
  ///   override func validateValue(
  ///     _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
  ///     forKey key: String
  ///   ) throws {
  ///     if ["name", "title"].contains(key), let text = value.pointee as? String {
  ///       value.pointee = text.trimmingCharacters(in: .whitespaces) as NSString
  ///     }
  ///     try super.validateValue(value, forKey: key)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - value: `NSNumber` for numbers, `NSSet` or `NSOrderedSet` for to-many relationships.
  ///   - key: the name of the property.
  /// - Throws: an error with one of Apple's validation codes, the object and the key.
  open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
    let validation = keyedMembers.validations[ClassMembers.capitalized(key)]
    if validation == nil || layout.places[key] != nil { try checkValue(value.pointee, forKey: key) }
    try validation?(self, value)
  }

  /// Checks the object before it is first saved.
  ///
  /// ```swift
  /// final class Loan: NSManagedObject {
  ///   override func validateForInsert() throws {
  ///     try super.validateForInsert()
  ///     guard let lent = value(forKey: "lentAt") as? Date, let due = value(forKey: "dueAt") as? Date
  ///     else { return }
  ///     if due < lent { throw CocoaError(.validationDateTooSoon) }
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: the error of the value that is not valid; for several, one error with the code
  ///   `NSValidationMultipleErrorsError` and theirs under `NSDetailedErrorsKey`.
  open func validateForInsert() throws {
    checkConfinement()
    try checkAllValues()
  }

  /// Checks the object before its changes are saved.
  ///
  /// ```swift
  /// note.setValue(nil, forKey: "title")
  /// do {
  ///   try note.validateForUpdate()
  /// } catch let error as NSError {
  ///   print(error.userInfo[NSValidationKeyErrorKey] ?? "")  // title
  /// }
  /// ```
  ///
  /// - Throws: the error of the value that is not valid; for several, one error with the code
  ///   `NSValidationMultipleErrorsError` and theirs under `NSDetailedErrorsKey`.
  open func validateForUpdate() throws {
    checkConfinement()
    try checkAllValues()
  }

  /// Checks that the object may be deleted.
  ///
  /// ```swift
  /// final class Account: NSManagedObject {
  ///   override func validateForDelete() throws {
  ///     try super.validateForDelete()
  ///     if let balance = value(forKey: "balance") as? Int, balance != 0 {
  ///       throw CocoaError(.managedObjectValidation)
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: `NSValidationRelationshipDeniedDeleteError` when a relationship with the deny rule
  ///   has destinations left.
  open func validateForDelete() throws {
    checkConfinement()
    try checkDeletion()
  }

  // MARK: - Description

  /// The object's own identity, as for any `NSObject`. Subclasses must not override it.
  open override var hash: Int { Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4 }

  open override var description: String { describe() }
}

/// A pointer by which values are passed by reference, named as on Apple's platforms, where it is
/// passed to Objective-C; a plain pointer here.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

// Not Sendable: an object is used on the queue of its context alone.
@available(*, unavailable)
extension NSManagedObject: @unchecked Sendable {}
