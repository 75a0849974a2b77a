public import Foundation
package import Predicates
import Synchronization

/// The identity of a managed object: its store, its entity and its key, the same in every context.
///
/// Objects stay in their context; what goes elsewhere is their ID:
///
/// ```swift
/// let id = note.objectID
/// try await container.performBackgroundTask { background in
///   let note = try background.existingObject(with: id) as? Note
///   note?.isPinned = true
///   try background.save()
/// }
/// ```
///
/// Two IDs are equal when they name the same object, however they were made. Apple's documentation
/// of `NSManagedObjectID`.
// Immutable. Weak references may be read by several threads at once.
open class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
  final let reference: ObjectReference
  final let layout: EntityLayout
  private final let place: Place

  /// The store of IDs, its model, and what is known of both: shared by the IDs of one save, since a save makes as many
  /// IDs as objects.
  // Immutable. Weak references may be read by several threads at once.
  final class Place: @unchecked Sendable {
    /// Keeps the entity alive.
    let model: NSManagedObjectModel
    private(set) weak var store: NSPersistentStore?
    let coordinatorNumber: Int?
    let storeIdentifier: String

    init(store: NSPersistentStore?, model: NSManagedObjectModel) {
      self.model = model
      self.store = store
      coordinatorNumber = store?.persistentStoreCoordinator?.number
      storeIdentifier = store?.identifier ?? ""
    }
  }

  /// An ID of an object that there is not, which no other ID is equal to: for stand-ins in tests.
  ///
  /// It is temporary, and its entity is one of its own, named `NSManagedObject`.
  public override init() {
    let model = Self.modelOfNoObjects
    place = Place(store: nil, model: model)
    layout = model.entities[0].layout
    reference = ObjectReference(key: TemporaryKey.next(), entity: layout.number, store: ObjectReference.noStore)
    super.init()
  }

  private static let modelOfNoObjects: NSManagedObjectModel = {
    let entity = NSEntityDescription()
    entity.name = "NSManagedObject"
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()

  /// - Parameters:
  ///   - layout: of an entity of the place's model.
  ///   - place: of the store that the reference names.
  init(reference: ObjectReference, layout: EntityLayout, place: Place) {
    self.reference = reference
    self.layout = layout
    self.place = place
    super.init()
  }

  convenience init(
    reference: ObjectReference,
    layout: EntityLayout,
    model: NSManagedObjectModel,
    store: NSPersistentStore?
  ) {
    self.init(reference: reference, layout: layout, place: Place(store: store, model: model))
  }

  /// The number of the coordinator that the reference is valid in.
  final var coordinatorNumber: Int? { place.coordinatorNumber }

  /// The entity of the object.
  open var entity: NSEntityDescription { layout.entity }

  /// The key of the object in its store, which its address ends in; negative while no store knows it.
  package final var key: Int64 { reference.key }

  /// The store that keeps the object; `nil` for a temporary ID.
  open var persistentStore: NSPersistentStore? { place.store }

  /// A Boolean value that is true while no store knows the object. The ID of an object becomes a
  /// permanent one when it is saved.
  ///
  /// ```swift
  /// let note = Note(context: context)
  /// print(note.objectID.isTemporaryID)  // true
  /// try context.save()
  /// print(note.objectID.isTemporaryID)  // false
  /// ```
  open var isTemporaryID: Bool { reference.isTemporary }

  /// The ID as an address that can be kept: `x-coredata://<store identifier>/<entity>/p<key>`, or
  /// with `t<key>` and no store for a temporary ID.
  /// ``NSPersistentStoreCoordinator/managedObjectID(forURIRepresentation:)`` gives the ID back.
  ///
  /// ```swift
  /// let address = note.objectID.uriRepresentation().absoluteString
  /// print(address)  // x-coredata://…/Note/p1
  /// ```
  open func uriRepresentation() -> URL {
    Self.uri(storeIdentifier: place.storeIdentifier, entityName: layout.entity.name ?? "", reference: reference)
  }

  static let scheme = "x-coredata"

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID else { return false }
    return self === other
      || reference.key == other.reference.key && layout.rootNumber == other.layout.rootNumber
        && (place === other.place || place.storeIdentifier == other.place.storeIdentifier)
  }

  /// Different keys have different hash values; sets and dictionaries mix the bits themselves.
  open override var hash: Int { Int(truncatingIfNeeded: reference.key) ^ Int(layout.rootNumber) << 48 }

  /// IDs are immutable: the same one.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// `0x… <x-coredata://…/Note/p1>`. The number is the same in all IDs that are equal.
  open override var description: String {
    Self.text(number: reference.number(root: layout.rootNumber), uri: uriRepresentation().absoluteString)
  }
}

extension NSPersistentStore {
  /// The ID of an object by its key.
  final func makeID(_ key: Int64, entity: NSEntityDescription) -> NSManagedObjectID {
    guard let model = entity.model else {
      fatalError("the entity \(entity.name ?? "") is in no model that is in use; take it from the coordinator's model.")
    }
    return NSManagedObjectID(
      reference: ObjectReference(key: key, entity: entity.layout.number, store: index),
      layout: entity.layout,
      model: model,
      store: self
    )
  }
}

extension NSManagedObjectID: IdentifiedObject {
  package final var recordIdentity: AnyHashable {
    RecordIdentity(key: reference.key, root: layout.rootNumber, store: reference.store)
  }

  package final var recordOrder: RecordOrder {
    RecordOrder(key: reference.key, root: layout.rootNumber, store: reference.store)
  }
}

extension NSManagedObject: IdentifiedObject {
  package final var recordIdentity: AnyHashable { RecordIdentity(key: key, root: layout.rootNumber, store: store) }

  package final var recordOrder: RecordOrder { RecordOrder(key: key, root: layout.rootNumber, store: store) }
}

extension NSManagedObject: ModelledObject {
  package final func leadsToMany(_ keyPath: String) -> Bool { layout.entity.leadsToMany(keyPath) }

  package final var nameInErrors: String { describeIdentity() }
}

/// Perennial's own: the number in an ID, for programs that keep very many IDs.
extension NSManagedObjectID {
  /// The key of the object's row, unique among the entities under one root of one store; `nil` for a temporary ID.
  public final var primaryKey: Int64? { reference.isTemporary ? nil : reference.key }

  /// The key that an object's ID has, without making the ID.
  public static func primaryKey(of object: NSManagedObject) -> Int64? {
    object.reference.isTemporary ? nil : object.reference.key
  }
}

extension NSPersistentStore {
  /// The ID of the object with a key, whether there is one or not; `nil` when the store is in no coordinator.
  ///
  /// - Parameters:
  ///   - entity: the object's own entity, of the coordinator's model.
  ///   - primaryKey: the number of the object in its store, which in a SQLite store is the `Z_PK` of its row.
  public final func objectID(of entity: NSEntityDescription, primaryKey: Int64) -> NSManagedObjectID? {
    guard let coordinator = persistentStoreCoordinator else { return nil }
    let reference = ObjectReference(key: primaryKey, entity: entity.layout.number, store: index)
    return NSManagedObjectID(
      reference: reference,
      layout: entity.layout,
      model: coordinator.managedObjectModel,
      store: self
    )
  }
}

/// Keys for objects that no store knows yet: negative, and unique in the process, so that a parent
/// and its child contexts name a new object alike.
enum TemporaryKey {
  private static let last = Atomic<Int64>(0)

  static func next() -> Int64 { last.subtract(1, ordering: .relaxed).newValue }
}
