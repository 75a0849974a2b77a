extension NSManagedObjectModel {
  /// The names of the configurations, sorted. All entities together, which have no name, are not
  /// among them.
  ///
  /// `"PF_DEFAULT_CONFIGURATION_NAME"` is among them in each model: the configuration that has all entities, and that a store
  /// has which was given no other.
  public final var configurations: [String] {
    Set(configurationMembers.keys).union([NSPersistentStore.defaultConfigurationName]).sorted()
  }

  /// The entities of a configuration.
  ///
  /// - Parameter configuration: a name, or `nil` for all entities of the model, as the name of the default configuration.
  /// - Returns: the entities, or `nil` when the model has no such configuration.
  public final func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    guard let configuration, configuration != NSPersistentStore.defaultConfigurationName else {
      return ownEntities
    }
    let byName = entitiesByName
    return configurationMembers[configuration]?.compactMap { byName[$0] }
  }

  /// Makes a configuration, or changes which entities it has.
  ///
  /// An entity that is not in the model stops the program. The default configuration has all entities whatever is set.
  public final func setEntities(
    _ entities: [NSEntityDescription],
    forConfigurationName configuration: String
  ) {
    requireMutable("configuration \(configuration)")
    for entity in entities where !ownEntities.contains(where: { $0 === entity }) {
      fatalError(
        """
        entity \(entity.name ?? "(without a name)") is not in the model and cannot be in its \
        configuration \(configuration); add it to NSManagedObjectModel.entities first.
        """
      )
    }
    if configuration == NSPersistentStore.defaultConfigurationName { return }
    configurationMembers[configuration] = entities.map { $0.name ?? "" }
  }
}

extension NSManagedObjectModel {
  /// Whether a store was made with the entities of a configuration, in their present version.
  ///
  /// - Parameters:
  ///   - configuration: a name, or `nil` for all entities of the model.
  ///   - metadata: the metadata of the store, with the version hashes of its entities.
  /// - Returns: `false` also when the model has no such configuration, or the metadata no hashes.
  public final func isConfiguration(
    withName configuration: String?,
    compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let entities = entities(forConfigurationName: configuration),
      let stored = StoreMetadata.versionHashes(in: metadata)
    else { return false }
    let own = entityVersionHashesByName
    return entities.count == stored.count
      && entities.allSatisfy { entity in
        let name = entity.name ?? ""
        return own[name] == stored[name]
      }
  }
}
