package import Foundation

/// Copies all objects of a store, with their keys, and what the application keeps in its metadata into an empty
/// store of the same model.
struct StoreCopy {
  let source: any ObjectStore
  let target: any ObjectStore
  let model: NSManagedObjectModel

  func run() throws {
    for (key, value) in source.metadata where target.metadata[key] == nil { target.metadata[key] = value }
    let inserted = try rows().map(change)
    guard case .saved = try target.commit(ChangeSet(inserted: inserted)) else {
      throw StoreFailure.error(
        NSPersistentStoreSaveError,
        "The store \(target.url?.path ?? "") was changed while it was made; copy into a new one.",
        file: target.url
      )
    }
  }

  private func rows() throws -> [FetchedRow] {
    try model.numberedEntities.filter { $0.superentity == nil && keeps($0) }.flatMap {
      try source.fetch(FetchQuery(entity: $0))
    }
  }

  private func keeps(_ entity: NSEntityDescription) -> Bool {
    guard source.configurationName != NSPersistentStore.defaultConfigurationName,
      let entities = model.entities(forConfigurationName: source.configurationName)
    else { return true }
    return entities.contains { $0 === entity }
  }

  /// The insertion of an object under its old key.
  private func change(_ fetched: FetchedRow) throws -> ObjectChange {
    let row = fetched.row?.copy()
    for slot in fetched.layout.referenceSlots {
      if case .reference(let reference)? = row?.value(slot) { row?.set(.reference(moved(reference)), slot) }
    }
    return ObjectChange(
      reference: moved(fetched.reference),
      layout: fetched.layout,
      row: row,
      committed: nil,
      changedSlots: fetched.layout.persistentSlots,
      toMany: try fetched.layout.toMany.indices.map { try toMany($0, fetched) }
    )
  }

  private func toMany(_ number: Int, _ fetched: FetchedRow) throws -> ToManyChange {
    let found = try source.destinations(of: number, from: fetched.reference, layout: fetched.layout)
    let destinations = found.map(moved)
    return ToManyChange(
      relationship: number,
      added: destinations,
      removed: [],
      ordered: fetched.layout.toMany[number].isOrdered ? destinations : nil
    )
  }

  private func moved(_ reference: ObjectReference) -> ObjectReference {
    ObjectReference(key: reference.key, entity: reference.entity, store: target.index)
  }
}

extension NSPersistentStoreCoordinator {
  /// Copies an open store into a new one of any type, which is added.
  ///
  /// - Parameters:
  ///   - storeType: the type of the new store.
  ///   - url: where it goes; nothing may be there.
  /// - Throws: an error that names the file, when something is there or the copy cannot be made; nothing is left of
  ///   it then.
  @discardableResult
  package final func copyPersistentStore(
    _ store: NSPersistentStore,
    toType storeType: String,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    guard let source = store as? any ObjectStore, openStores.contains(where: { $0 === store }) else {
      throw StoreFailure.error(
        NSPersistentStoreOperationError,
        "the store \(store.url?.path ?? "") is not open in this coordinator, so that it cannot be copied."
      )
    }
    if storeType != NSInMemoryStoreType, url.isFileURL, FileManager.default.fileExists(atPath: url.path) {
      throw StoreFailure.error(
        CocoaError.fileWriteFileExists.rawValue,
        "\(url.path) is there already; give another place, or remove it first.",
        file: url
      )
    }
    let configuration =
      store.configurationName == NSPersistentStore.defaultConfigurationName ? nil : store.configurationName
    let target = try addPersistentStore(
      ofType: storeType,
      configurationName: configuration,
      at: url,
      options: options
    )
    do {
      guard let open = target as? any ObjectStore else { return target }
      try StoreCopy(source: source, target: open, model: managedObjectModel).run()
      return target
    } catch {
      try? destroyPersistentStore(at: url, ofType: storeType, options: options)
      throw error
    }
  }
}
