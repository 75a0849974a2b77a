#if !canImport(Darwin)
  import ArgumentParser
  import CoreData
  import Files
  import Foundation

  /// `perennial backup STORE -o FILE [--replace]`
  struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "backup",
      abstract: "Write what a store has at this moment into a file, while others write it.",
      usage: "perennial backup --output <output> [<options>] <store>",
      discussion: """
        The backup is the same store, with its identity, its metadata and its history. It is made next to its place under a \
        hidden name, brought onto the disk, and gets its name as a whole. Values that are large enough for files of their \
        own are in the folder .NAME_SUPPORT next to it, and belong to it. Others read and write the store \
        meanwhile. SQLite, XML and binary stores are backed up; no model is needed.
        """
    )

    @Argument(help: "The store.") var store: StoreLocation

    @Option(
      name: .shortAndLong,
      help: "The file of the backup. Nothing may be there without --replace.",
      completion: .file()
    )
    var output: String

    @Flag(help: "Replace an earlier backup of the same store. Anything else is not replaced.")
    var replace = false

    @OptionGroup(title: "Waiting") var locking: LockOptions
    @OptionGroup(title: "Log") var logging: LogOptions

    func run() throws {
      try CommandFailure.reporting(logging, wait: locking.wait(for: store)) {
        try store.requireFile(
          "the server's own programs back its stores up",
          remedy: "use pg_dump --schema, or copy the store into a file with perennial copy"
        )
        _ = try ClosedStore.metadata(of: store)
        let backup = try writeBackup()
        let files = backup.externalFileCount
        print(
          """
          \(output): \(backup.byteCount) bytes\(files == 0 ? "" : ", \(files) of its values in files of their own"), the \
          store \(backup.identifier) as it was at \(backup.date.formatted(.iso8601))
          """
        )
      }
    }

    private func writeBackup() throws -> StoreBackup {
      do {
        return try NSPersistentStoreCoordinator.backUpPersistentStore(
          at: store.url,
          type: .init(rawValue: store.storeType),
          options: locking.storeOptions,
          to: URL(fileURLWithPath: output),
          replacingBackup: replace
        )
      } catch {
        let failure = ClosedStore.failure(StoreLocation(path: output), error: error)
        let isTaken = (error as NSError).code == CocoaError.fileWriteFileExists.rawValue
        guard isTaken, !replace, FileKind(at: output) == .regular else { throw failure }
        throw CommandFailure("\(failure.description) --replace replaces an earlier backup of the same store.")
      }
    }
  }
#endif
