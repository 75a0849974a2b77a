import Foundation

/// Files next to a store that the store must not touch.
enum Neighbours {
  static func make(in folder: URL) throws {
    try CrashStore.make(folder.appendingPathComponent("neighbour.sqlite"), batches: 5)
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("pictures/.store_SUPPORT/_EXTERNAL_DATA"),
      withIntermediateDirectories: true
    )
    let names = [
      "store", "store.txt", "store.db", "store.sqlite.txt", "source.txt", ".store", "Store.sqlite",
      "pictures/store.sqlite", "pictures/.store_SUPPORT/_EXTERNAL_DATA/\(UUID().uuidString)",
    ]
    for name in names {
      try Data("the file \(name) of somebody else".utf8).write(to: folder.appendingPathComponent(name))
    }
  }

  /// Compares the files that do not belong to the workload before and after a run.
  ///
  /// - Returns: the files that were changed or removed, and the number of new files.
  static func compare(_ old: FolderContents, _ new: FolderContents, _ workload: any Workload) -> (
    [String], Int
  ) {
    let harmed = old.files.keys.filter { !workload.owns($0) && old.files[$0] != new.files[$0] }
    let litter = new.files.keys.filter { !workload.owns($0) && old.files[$0] == nil }
    return (harmed.sorted(), litter.count)
  }
}
