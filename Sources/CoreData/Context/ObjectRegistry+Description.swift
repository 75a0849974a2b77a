import Foundation

extension ObjectRegistry {
  /// The address of an object, be it in the registry or not.
  func uri(of reference: ObjectReference, entity: NSEntityDescription?) -> String {
    let store = coordinator?.store(at: reference.store)?.identifier ?? ""
    return NSManagedObjectID.uri(
      storeIdentifier: store,
      entityName: entity?.name ?? "",
      reference: reference
    ).absoluteString
  }

  /// The ID of a destination that is not in memory as an object.
  func text(of reference: ObjectReference) -> String {
    let entities = model?.numberedEntities ?? []
    let index = Int(reference.entity) - 1
    let entity = entities.indices.contains(index) ? entities[index] : nil
    let root = entity?.frozenLayout?.rootNumber ?? reference.entity
    return NSManagedObjectID.text(number: reference.number(root: root), uri: uri(of: reference, entity: entity))
  }
}
