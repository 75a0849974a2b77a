import CoreData

/// All workloads.
enum Workloads {
  /// The workloads for power loss: several consecutive saves reveal more than two.
  static let powerLosses: [any Workload] =
    [
      SavingWorkload(name: "saves", steps: 14),
      SavingWorkload(name: "saves with history", history: true, steps: 14),
      SavingWorkload(name: "saves in full", synchronous: "FULL", steps: 14),
      SavingWorkload(name: "saves in full with history", history: true, synchronous: "FULL", steps: 14),
      SavingWorkload(name: "saves with checkpoints", steps: 14, checkpoint: 20),
      SavingWorkload(name: "saves in full with checkpoints", synchronous: "FULL", steps: 14, checkpoint: 20),
      SavingWorkload(name: "first saves", first: 0, steps: 5),
      SavingWorkload(name: "first saves in full", synchronous: "FULL", first: 0, steps: 5),
      SavingWorkload(name: "XML saves", type: NSXMLStoreType, steps: 5),
      SavingWorkload(name: "binary saves", type: NSBinaryStoreType, steps: 5),
    ]
    + faults.filter { !($0 is SavingWorkload) }

  /// The workload with a name.
  static func named(_ name: String) -> (any Workload)? {
    (faults + powerLosses).first { $0.name == name }
  }

  /// The workloads for failing calls.
  static let faults: [any Workload] = [
    SavingWorkload(name: "save"),
    SavingWorkload(name: "save with history", history: true),
    SavingWorkload(name: "save with checkpoints", steps: 3, checkpoint: 10),
    SavingWorkload(name: "first save", first: 0),
    SavingWorkload(name: "first save with history", history: true, first: 0),
    SavingWorkload(name: "XML save", type: NSXMLStoreType),
    SavingWorkload(name: "first XML save", type: NSXMLStoreType, first: 0),
    SavingWorkload(name: "binary save", type: NSBinaryStoreType),
    SavingWorkload(name: "first binary save", type: NSBinaryStoreType, first: 0),
    BatchWorkload(),
    MigrationWorkload(name: "lightweight migration"),
    MigrationWorkload(name: "lightweight migration with history", history: true),
    MigrationWorkload(name: "migration by mapping model", way: .manager),
    MigrationWorkload(name: "migration of XML", type: NSXMLStoreType, way: .manager),
    MigrationWorkload(name: "migration of binary", type: NSBinaryStoreType, way: .manager),
    MovingWorkload(name: "move", way: .migratePersistentStore),
    MovingWorkload(name: "move to XML", way: .migratePersistentStore, targetType: NSXMLStoreType),
    MovingWorkload(name: "move from binary", way: .migratePersistentStore, type: NSBinaryStoreType),
    MovingWorkload(name: "replace", way: .replacePersistentStore),
    MovingWorkload(name: "replace nothing", way: .replaceNothing),
    MovingWorkload(
      name: "replace XML",
      way: .replacePersistentStore,
      type: NSXMLStoreType,
      targetType: NSXMLStoreType
    ),
    DestroyingWorkload(name: "destroy"),
    DestroyingWorkload(name: "destroy by force", isForced: true),
    DestroyingWorkload(name: "destroy XML", type: NSXMLStoreType),
    MetadataWorkload(name: "metadata"),
    MetadataWorkload(name: "metadata of XML", type: NSXMLStoreType),
    FirstLaunchWorkload(),
    CommandWorkload(name: "perennial seed", command: .seed(photos: 60)),
    CommandWorkload(name: "perennial seed in pieces", command: .seed(photos: 21_000)),
    CommandWorkload(name: "perennial build-store", command: .buildStore(replaces: false)),
    CommandWorkload(name: "perennial build-store --force", command: .buildStore(replaces: true)),
    CommandWorkload(name: "perennial migrate", command: .migrate),
    CommandWorkload(name: "perennial copy", command: .copy),
    CommandWorkload(name: "perennial copy to XML", command: .copyToXML),
    CommandWorkload(name: "perennial check --repair", command: .repair),
    CommandWorkload(name: "perennial dump", command: .dump),
    CommandWorkload(name: "perennial backup", command: .backup(replaces: false)),
    CommandWorkload(name: "perennial backup --replace", command: .backup(replaces: true)),
  ]
}
