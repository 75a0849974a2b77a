import CRuntime
import Dispatch
import Synchronization

/// The identity map of one context: one object for each reference.
///
/// It refers to objects without owning them. The last owner may release an object on any thread,
/// hence the lock. The objects own the registry, so that it exists when they are removed from it.
// Locks protect the tables and the context; everything else is set once.
final class ObjectRegistry: @unchecked Sendable {
  // Used under the lock alone.
  private final class Table {
    @exclusivity(unchecked) var identities = IdentityTable()
  }

  /// The model, kept alive by its objects.
  let model: NSManagedObjectModel?
  private let lock = Mutex<Void>(())
  /// One table for each store and root entity, and one for temporary keys.
  @exclusivity(unchecked) private var tables: [Table?] = []
  /// The number of slots in ``tables`` for the root entities of one store.
  private let rootCount: Int
  /// The coordinator's number, which needs no weak reference to be asked for.
  let coordinatorNumber: Int?
  /// The coordinator of the stores that the objects are in.
  private(set) weak var coordinator: NSPersistentStoreCoordinator?
  /// The context, until it is reset or deallocated. A caller may read it on another thread than the
  /// one that releases the context last, and gets the context alive or not at all.
  // The registry does not keep it alive, and has a weak handle of its own: a context that is reset goes on without it.
  private let contextHandle = WeakHandle()

  init(
    model: NSManagedObjectModel?,
    coordinator: NSPersistentStoreCoordinator? = nil,
    context: NSManagedObjectContext?
  ) {
    self.model = model
    self.coordinator = coordinator
    coordinatorNumber = coordinator?.number
    rootCount = (model?.numberedEntities.count ?? 0) + 1
    if let context { contextHandle.hold(context) }
  }

  var context: NSManagedObjectContext? {
    contextHandle.object.map { unsafeDowncast($0, to: NSManagedObjectContext.self) }
  }

  /// Called as the context is deallocated: its objects have none from now on.
  func loseContext() { contextHandle.letGo() }

  func object(for reference: ObjectReference, root: Int32) -> NSManagedObject? {
    lock.withLock { _ in
      guard let pointer = knownTable(for: reference, root: root)?.identities[reference.key],
        let retained = swift_tryRetain(pointer)
      else { return nil }
      return Unmanaged<NSManagedObject>.fromOpaque(retained).takeRetainedValue()
    }
  }

  func add(_ object: NSManagedObject) {
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    lock.withLock { _ in
      table(for: object.reference, root: object.layout.rootNumber).identities.set(pointer, for: object.key)
    }
  }

  /// The registered objects of many rows of one root entity and store, `nil` where there is none yet.
  func objects(for rows: [FetchedRow], root: Int32) -> [NSManagedObject?]? {
    guard let first = rows.first else { return nil }
    return lock.withLock { _ in
      let table = table(for: first.reference, root: root)
      let isEmpty = table.identities.count == 0
      table.identities.reserve(rows.count)
      if isEmpty { return nil }
      var objects: [NSManagedObject?] = []
      objects.reserveCapacity(rows.count)
      for row in rows {
        if let pointer = table.identities[row.key], let retained = swift_tryRetain(pointer) {
          objects.append(Unmanaged<NSManagedObject>.fromOpaque(retained).takeRetainedValue())
        } else {
          objects.append(nil)
        }
      }
      return objects
    }
  }

  /// Registers many objects of one root entity and store.
  func add(_ objects: [NSManagedObject]) {
    guard let first = objects.first else { return }
    lock.withLock { _ in
      let table = table(for: first.reference, root: first.layout.rootNumber)
      objects.withUnsafeBufferPointer { objects in
        for index in objects.indices {
          // Not retained: they are in the array.
          unowned(unsafe) let object = objects[index]
          table.identities.set(Unmanaged.passUnretained(object).toOpaque(), for: object.key)
        }
      }
    }
  }

  /// Called as an object is deallocated or changes its reference.
  func remove(_ object: UnsafeMutableRawPointer, reference: ObjectReference, root: Int32) {
    let placesGivenUp = lock.withLock { _ in
      knownTable(for: reference, root: root)?.identities.remove(object, for: reference.key) ?? 0
    }
    if placesGivenUp >= FreeMemory.placesWorthwhile { FreeMemory.giveBackSoon() }
  }

  /// The number of slots in the identity map, for tests of freed memory.
  var capacity: Int { lock.withLock { _ in tables.reduce(0) { $0 + ($1?.identities.capacity ?? 0) } } }

  /// All objects that are registered now.
  ///
  /// - Parameter hasExtras: true for those alone that have extras. The others are not retained: to leave the table, an
  ///   object takes the lock, and its variables are there until then.
  func allObjects(hasExtras: Bool = false) -> [NSManagedObject] {
    lock.withLock { _ in
      var objects: [NSManagedObject] = []
      for case let table? in tables {
        table.identities.forEach { pointer in
          if hasExtras, !Self.hasExtras(pointer) { return }
          guard let retained = swift_tryRetain(pointer) else { return }
          objects.append(Unmanaged<NSManagedObject>.fromOpaque(retained).takeRetainedValue())
        }
      }
      return objects
    }
  }

  private static func hasExtras(_ object: UnsafeMutableRawPointer) -> Bool {
    Unmanaged<NSManagedObject>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.extras != nil }
  }

  private func tableIndex(_ reference: ObjectReference, root: Int32) -> Int {
    reference.isTemporary ? 0 : 1 + (Int(reference.store) + 1) * rootCount + Int(root)
  }

  @inline(__always)
  private func knownTable(for reference: ObjectReference, root: Int32) -> Table? {
    let index = tableIndex(reference, root: root)
    return index < tables.count ? tables[index] : nil
  }

  private func table(for reference: ObjectReference, root: Int32) -> Table {
    if let table = knownTable(for: reference, root: root) { return table }
    let index = tableIndex(reference, root: root)
    while tables.count <= index { tables.append(nil) }
    let table = Table()
    tables[index] = table
    return table
  }
}

/// The memory that malloc keeps of objects that are gone, and how it is given back.
///
/// glibc's malloc gives back the end of its heap alone, and one small allocation that is still needed keeps everything
/// before it: after a fetch of a million objects that are long released, the program may stay as large as it was. Where
/// very many objects have gone, malloc is therefore asked to give back every page that it has no use for.
enum FreeMemory {
  /// The least capacity of a cleared identity map for which memory is returned to the system at once: it had 260,000
  /// objects or more. Smaller fetches reuse memory that malloc has kept faster than new pages.
  static let placesWorthwhile = 1 << 19

  private static let calls = Atomic<Int>(0)

  /// Gives memory back in a second, unless it is called again meanwhile: most objects are released
  /// together, and a program that fetches as many again has begun by then.
  static func giveBackSoon() {
    let call = calls.add(1, ordering: .relaxed).newValue
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) {
      if calls.load(ordering: .relaxed) == call { giveBackFreeMemory() }
    }
  }
}
