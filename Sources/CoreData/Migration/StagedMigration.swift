import Foundation

extension NSStagedMigrationManager {
  /// Migrates a store through the stages to a model.
  final func migrate(
    _ store: UnopenedStore,
    metadata: [String: Any],
    to model: NSManagedObjectModel,
    configuration: String?
  ) throws {
    defer { container = nil }
    let source = try SourceModelSearch(
      store: store,
      metadata: metadata,
      destination: model,
      stages: stages
    ).source()
    var migration = StagedMigration(
      manager: self,
      store: store,
      configuration: configuration,
      destination: model,
      current: source
    )
    try migration.run()
  }
}

/// The way of one store through the stages.
private struct StagedMigration {
  let manager: NSStagedMigrationManager
  let store: UnopenedStore
  let configuration: String?
  let destination: NSManagedObjectModel
  private var place: StoreDescriptor { store.place }
  /// The model that the store has now.
  var current: SourceModel

  mutating func run() throws {
    try checkDirection()
    for stage in manager.stages.dropFirst(firstStage ?? manager.stages.count) where !isDone {
      MigrationLog(place.url).report("the stage \(stage.label ?? "without a label")")
      switch stage {
      case let stage as NSLightweightMigrationStage: try run(stage)
      case let stage as NSCustomMigrationStage: try run(stage)
      default: continue
      }
    }
    try advance(to: destination)
  }

  private var currentChecksum: String { current.model.versionChecksum }

  private var isDone: Bool { currentChecksum == destination.versionChecksum }

  /// The stage that the store comes to next; `nil` when no stage begins with its version.
  private var firstStage: Int? {
    let checksum = currentChecksum
    if let index = manager.stages.firstIndex(where: { $0.startingChecksums.contains(checksum) }) {
      return index
    }
    return manager.stages.firstIndex { $0.allChecksums.contains(checksum) }.map { $0 + 1 }
  }

  private func checkDirection() throws {
    let order = manager.stages.flatMap(\.allChecksums)
    guard let here = order.firstIndex(of: currentChecksum),
      let there = order.lastIndex(of: destination.versionChecksum), there < here
    else { return }
    throw CocoaError.coreData(
      NSStagedMigrationBackwardMigrationError,
      message: """
        \(place.url.storeName): a staged migration does not go back: the version \(destination.versionChecksum) of the model \
        is older than the store's, \(currentChecksum).
        """,
      userInfo: [NSURLErrorKey: place.url]
    )
  }

  /// Migrates through the versions of a stage whose models are available.
  private mutating func run(_ stage: NSLightweightMigrationStage) throws {
    let checksums = stage.versionChecksums
    let start = checksums.firstIndex(of: currentChecksum).map { $0 + 1 } ?? 0
    for checksum in checksums.dropFirst(start) where !isDone {
      if checksum == destination.versionChecksum {
        try advance(to: destination)
      } else if let model = ModelVersions.withChecksum(checksum, in: nil) {
        try advance(to: model)
      }
    }
  }

  private mutating func run(_ stage: NSCustomMigrationStage) throws {
    let (currentModel, nextModel) = (try stage.currentModel.resolve(), try stage.nextModel.resolve())
    try advance(to: currentModel)
    try call(stage.willMigrateHandler, stage, with: currentModel)
    try advance(to: nextModel)
    try call(stage.didMigrateHandler, stage, with: nextModel)
  }

  private mutating func advance(to model: NSManagedObjectModel) throws {
    guard currentChecksum != model.versionChecksum else { return }
    let isLast = model === destination
    MigrationLog(place.url).report("from the version \(currentChecksum) of the model to \(model.versionChecksum)")
    try AutomaticMigration(store, configuration: isLast ? configuration : nil, model: model).migrate(from: current)
    current = SourceModel(model: model, isKnown: true)
  }

  /// Opens the store for a handler.
  private func call(
    _ handler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?,
    _ stage: NSCustomMigrationStage,
    with model: NSManagedObjectModel
  ) throws {
    guard let handler else { return }
    // The handler has the store for itself, as a program that opens it later has.
    try store.close()
    let name = place.url.deletingPathExtension().lastPathComponent
    let container = NSPersistentContainer(name: name, managedObjectModel: model)
    let store = try container.persistentStoreCoordinator.addPersistentStore(
      ofType: place.type,
      configurationName: nil,
      at: place.url,
      options: place.plainOptions
    )
    manager.container = container
    defer { manager.container = nil }
    do {
      try handler(manager, stage)
    } catch {
      try? container.persistentStoreCoordinator.remove(store)
      throw error
    }
    container.viewContext.reset()
    try container.persistentStoreCoordinator.remove(store)
  }
}
