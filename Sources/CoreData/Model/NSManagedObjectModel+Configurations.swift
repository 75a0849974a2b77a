extension NSManagedObjectModel {
  /// The name of the configuration that has all entities.
  package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

  /// The names of the configurations, sorted.
  ///
  /// `"PF_DEFAULT_CONFIGURATION_NAME"` is among them in each model: the configuration that has all
  /// entities, and that a store has which was given no other.
  public final var configurations: [String] {
    Set(configurationMembers.keys).union([NSManagedObjectModel.defaultConfigurationName]).sorted()
  }

  /// The entities of a configuration.
  ///
  /// - Parameter configuration: a name, or `nil` for all entities of the model, as the name of the
  ///   default configuration.
  /// - Returns: the entities, or `nil` when the model has no such configuration.
  public final func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    guard let configuration, configuration != NSManagedObjectModel.defaultConfigurationName else { return ownEntities }
    let byName = entitiesByName
    return configurationMembers[configuration]?.compactMap { byName[$0] }
  }

  /// The entities whose objects a store of a configuration keeps: those of the configuration, and their subentities
  /// that no configuration names. Objects of a subentity lie in the table of its superentity.
  ///
  /// Apple's documentation does not say so; seen in a test suite that passes on Apple's platforms.
  ///
  /// - Returns: `nil` when the model has no such configuration.
  package final func storedEntities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    guard let configuration, configuration != NSManagedObjectModel.defaultConfigurationName else { return ownEntities }
    guard let members = configurationMembers[configuration] else { return nil }
    let named = Set(configurationMembers.values.joined())
    let listed = entities(forConfigurationName: configuration) ?? []
    if named.count == ownEntities.count { return listed }
    let implied = ownEntities.filter { entity in
      guard let name = entity.name, !named.contains(name) else { return false }
      let ancestor = sequence(first: entity, next: \.superentity).first { named.contains($0.name ?? "") }
      return ancestor.map { members.contains($0.name ?? "") } ?? false
    }
    return listed + implied
  }

  /// The entities that a store has, of which it keeps objects of a configuration's entities.
  ///
  /// Apple's framework makes a store with tables and version hashes of all entities of the model,
  /// even if its configuration has fewer. Former versions of Perennial made them for the
  /// configuration's entities alone, and such a store is left unchanged until it is migrated.
  ///
  /// - Parameters:
  ///   - metadata: the metadata of the store.
  ///   - ignoresVersions: true for all that may be there of a store of another model.
  package final func entities(
    ofStoreWith metadata: [String: Any],
    configuration: String?,
    ignoresVersions: Bool = false
  ) -> [NSEntityDescription] {
    guard let kept = storedEntities(forConfigurationName: configuration), kept.count < ownEntities.count
    else { return ownEntities }
    guard let stored = NSManagedObjectModel.entityVersionHashes(inStoreMetadata: metadata) else { return kept }
    let names = Set(kept.map(\.name))
    let found = ownEntities.filter { names.contains($0.name) || stored[$0.name ?? ""] != nil }
    if found.count == kept.count { return kept }
    return ignoresVersions ? found : ownEntities
  }

  /// The configuration whose entities alone a store has; `nil` for a store of all entities, and for
  /// one of another version of the model.
  final func soleConfiguration(ofStoreWith metadata: [String: Any]) -> String? {
    if isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return nil }
    return configurations.first { isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
  }

  /// Makes a configuration, or changes which entities it has.
  ///
  /// An entity that is not in the model stops the program. The default configuration always has all entities.
  ///
  /// ```swift
  /// model.setEntities([plant], forConfigurationName: "Garden")
  /// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  /// let store = try coordinator.addPersistentStore(type: .inMemory, configuration: "Garden")
  /// print(store.configurationName)  // Garden
  /// ```
  public final func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
    requireMutable("configuration \(configuration)")
    for entity in entities where !ownEntities.contains(where: { $0 === entity }) {
      fatalError(
        """
        entity \(entity.name ?? "(without a name)") is not in the model and cannot be in its \
        configuration \(configuration); add it to NSManagedObjectModel.entities first.
        """
      )
    }
    if configuration == NSManagedObjectModel.defaultConfigurationName { return }
    configurationMembers[configuration] = entities.map { $0.name ?? "" }
  }
}

extension NSManagedObjectModel {
  /// Returns true when a store of a configuration can be opened without a migration: all entities
  /// that it was made with are in their present version. Those are all entities of the model, or,
  /// in stores that former versions of Perennial made, the entities of the configuration alone. A
  /// subentity that no configuration names belongs to the configuration of its superentity.
  ///
  /// - Parameters:
  ///   - configuration: a name, or `nil` for all entities of the model.
  ///   - metadata: the metadata of the store, with the version hashes of its entities.
  /// - Returns: `false` also when the model has no such configuration, or the metadata no hashes.
  public final func isConfiguration(
    withName configuration: String?,
    compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    if storedEntities(forConfigurationName: configuration) == nil { return false }
    let entities = self.entities(ofStoreWith: metadata, configuration: configuration)
    return versionDifferences(fromStoreMetadata: metadata, entities: entities).isEmpty
  }
}
