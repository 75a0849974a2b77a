import Files
import Foundation

extension NSMigrationManager {
  /// Carries out a mapping model: by the store's own means where that is possible, else object by object.
  final func migrate(_ places: MigrationEndpoints, mappingModel: NSMappingModel) throws {
    if let cancellation { throw cancellation }
    if let storeClass = migratingClass(places),
      let migration = mappingModel.lightweightMigration(from: sourceModel, to: destinationModel)
    {
      try carryOut(migration, places: places, inCopyBy: storeClass)
    } else {
      let naming = namingClass(places)
      try carryOut(try MigrationRun(places: places, mappingModel: mappingModel, manager: self))
      try naming?.keepNames(
        of: places.source.url,
        in: places.destination.url,
        migration: LightweightMigration(from: sourceModel, to: destinationModel)
      )
    }
    migrationProgress = 1
  }

  /// The class of both stores, if the destination is created and is to keep names of the source.
  private func namingClass(_ places: MigrationEndpoints) -> (any NameKeepingStore.Type)? {
    let destination = places.destination
    guard places.source.type == destination.type,
      let storeClass = try? StoreTypes.storeClass(of: destination.type) as? any NameKeepingStore.Type
    else { return nil }
    let metadata = try? StoreTypes.metadata(of: destination.type, at: destination.url, options: destination.options)
    return metadata?[NSStoreModelVersionHashesKey] == nil ? storeClass : nil
  }

  /// Runs the three passes between two open stores, and closes the stores that the run has opened.
  final func carryOut(_ run: MigrationRun) throws {
    self.run = run
    associations = MigrationAssociations()
    defer {
      self.run = nil
      associations = MigrationAssociations()
    }
    do {
      try runPasses(run)
      try run.save()
    } catch {
      try? run.close()
      throw error
    }
    try run.close()
  }

  private func runPasses(_ run: MigrationRun) throws {
    let steps = try run.mappingModel.mappings.map { mapping in (mapping: mapping, policy: try policy(of: mapping)) }
    let passes = [createInstances, createRelationships, validate]
    let names = ["instances", "relationships", "validation"]
    for (number, pass) in passes.enumerated() {
      for (index, step) in steps.enumerated() {
        run.mapping = step.mapping
        run.log.report("\(names[number]) of \(step.mapping.logged) by \(type(of: step.policy))")
        try pass(step.mapping, step.policy)
        try checkCancellation()
        migrationProgress = Float(number * steps.count + index + 1) / Float((passes.count + 1) * steps.count)
      }
    }
    run.mapping = nil
  }

  private func createInstances(_ mapping: NSEntityMapping, policy: NSEntityMigrationPolicy) throws {
    try policy.begin(mapping, with: self)
    let sources = try MappingEvaluation(manager: self, mapping: mapping, policy: policy).sourceInstances()
    for source in sources {
      try checkCancellation()
      try policy.createDestinationInstances(forSource: source, in: mapping, manager: self)
    }
    try policy.endInstanceCreation(forMapping: mapping, manager: self)
  }

  private func createRelationships(_ mapping: NSEntityMapping, policy: NSEntityMigrationPolicy) throws {
    for destination in associations.destinations(mapping: mapping.name ?? "", of: nil) {
      try checkCancellation()
      try policy.createRelationships(forDestination: destination, in: mapping, manager: self)
    }
    try policy.endRelationshipCreation(forMapping: mapping, manager: self)
  }

  private func validate(_ mapping: NSEntityMapping, policy: NSEntityMigrationPolicy) throws {
    try policy.performCustomValidation(forMapping: mapping, manager: self)
    try policy.end(mapping, manager: self)
  }

  private func checkCancellation() throws {
    if let cancellation { throw cancellation }
  }

  private func policy(of mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy {
    guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else { return NSEntityMigrationPolicy() }
    guard
      let found = ClassRegister.subclass(of: NSEntityMigrationPolicy.self, named: name, by: destinationModel)
    else {
      throw StoreFailure.error(
        NSEntityMigrationPolicyError,
        in: mapping,
        problem: """
          there is no migration policy \(name); name a subclass of NSEntityMigrationPolicy, with its module \
          (Module.\(name.split(separator: ".").last ?? "")).
          """
      )
    }
    return found.init()
  }

  final func destinationEntity(named name: String, in mapping: NSEntityMapping) throws -> NSEntityDescription {
    if let entity = destinationModel.entitiesByName[name] { return entity }
    throw StoreFailure.error(in: mapping, problem: "the destination model has no entity \(name)")
  }

  // MARK: - By the store's own means

  /// The class of both stores, where it can carry out a lightweight migration by its own means in a copy of the source.
  private func migratingClass(_ places: MigrationEndpoints) -> (any (CopyableStore & MigratableStore).Type)? {
    guard usesStoreSpecificMigrationManager, type(of: self) == NSMigrationManager.self,
      places.source.type == places.destination.type, FileKind(at: places.destination.url.path) == .nothing
    else { return nil }
    return try? StoreTypes.storeClass(of: places.source.type) as? any (CopyableStore & MigratableStore).Type
  }

  private func carryOut(
    _ migration: LightweightMigration,
    places: MigrationEndpoints,
    inCopyBy storeClass: any (CopyableStore & MigratableStore).Type
  ) throws {
    let (source, destination) = (places.source.url, places.destination)
    try storeClass.copy(source, to: destination.url)
    let place = StoreDescriptor(url: destination.url, type: destination.type, options: destination.plainOptions)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destinationModel)
    let store = place.makeStore(of: storeClass, in: coordinator)
    do {
      try store.migrate(migration)
    } catch {
      try? store.close()
      try? storeClass.removeAll(at: destination.url)
      throw error
    }
    // The migration is committed, so an error while closing is ignored.
    try? store.close()
  }
}

extension NSEntityMapping {
  fileprivate var logged: String {
    "\(name ?? "a mapping") (\(sourceEntityName ?? "nothing") to \(destinationEntityName ?? "nothing"))"
  }
}
