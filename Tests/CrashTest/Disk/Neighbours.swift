import Foundation

/// What lies beside a store and is none of its business.
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

  /// What has become of files that are not the workload's own.
  ///
  /// - Returns: what was changed or has gone, and how many files are there that were not.
  static func compare(_ old: FolderContents, _ new: FolderContents, _ workload: any Workload) -> (
    [String], Int
  ) {
    let harmed = old.files.keys.filter { !workload.owns($0) && old.files[$0] != new.files[$0] }
    let litter = new.files.keys.filter { !workload.owns($0) && old.files[$0] == nil }
    return (harmed.sorted(), litter.count)
  }
}
