import Foundation
import Predicates

/// Finds the names behind a Swift key path of a managed object, which carries none on Linux.
///
/// The key path is read in an object that is made for it, whose accessors tell which property they are asked for; at
/// the end of a relationship stands another such object.
final class KeyPathRecorder {
  /// Lets sort descriptors find the names of key paths.
  static let install: Void = KeyPathNames.addFinder(name(of:))

  private let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  /// The layouts of the objects, which do not own them.
  private var layouts: [EntityLayout] = []
  private var names: [String] = []
  /// The object whose property has to be next; `nil` at the end of the path.
  private weak var next: NSManagedObject?
  /// Whether an accessor asked for more than a path has: it computes its value.
  private var isComputed = false

  /// The names, joined by dots; `nil` for a key path that does not lead from a managed object through its properties.
  static func name(of keyPath: AnyKeyPath) -> String? {
    guard let root = type(of: keyPath).rootType as? NSManagedObject.Type,
      let entity = ClassRegister.knownEntity(of: root)
    else { return nil }
    let recorder = KeyPathRecorder()
    return withExtendedLifetime(recorder) {
      let object = recorder.makeObject(of: entity)
      recorder.next = object
      _ = (object as Any)[keyPath: keyPath]
      return recorder.isComputed || recorder.names.isEmpty ? nil : recorder.names.joined(separator: ".")
    }
  }

  /// Takes note of an access.
  ///
  /// - Returns: the property's place, as `PropertyNames` gives it; `nil` when the entity has no such property.
  func record(_ name: String, in object: NSManagedObject) -> PropertyNames.Index? {
    guard let place = object.layout.places[name] else { return nil }
    if object !== next { isComputed = true }
    names.append(name)
    next = nil
    switch place {
    case .toMany(let index): return -1 - index
    case .slot(let slot):
      if let destination = object.layout.slots[slot].relationship?.frozenDestination {
        let end = makeObject(of: destination)
        object.makeExtras().setDestination(end, slot)
        next = end
      }
      return slot
    }
  }

  private func makeObject(of entity: NSEntityDescription) -> NSManagedObject {
    let layout = EntityLayout(entity: entity, objectClass: entity.layout.objectClass, recorder: self)
    layouts.append(layout)
    let object = context.materialize(
      FetchedRow(key: 0, store: ObjectReference.noStore, layout: layout, row: Row(layout: layout))
    )
    object.state = []
    return object
  }
}
