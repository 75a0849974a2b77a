import CoreData
import Foundation

// The program that Scripts/checks/crash-test runs and kills. With other verbs, Scripts/checks/inject-faults and
// Scripts/checks/lose-power run it.

let arguments = Array(CommandLine.arguments.dropFirst())
if let status = DiskCommand.run(arguments) { exit(status) }
guard arguments.count == 3 || arguments.count == 4 && arguments[3] == "history" else {
  print(
    """
    usage: CrashTest save|verify|fill|readonly STORE ARGUMENT [history]
           CrashTest prepare|migrate|migrated STORE ARGUMENT [history]
           CrashTest count|counted STORE NUMBER [history]
           CrashTest count-until STORE FILE [history]
           CrashTest copy STORE FILE [history]
           CrashTest inject|lose-power LIBRARY COUNT SEED [PART-OF-A-WORKLOAD'S-NAME]

    A STORE is a file, or the URL of a database: postgresql://…
    """
  )
  exit(64)
}
let file =
  URL(string: arguments[1]).flatMap { $0.scheme == "postgresql" ? $0 : nil }
  ?? URL(fileURLWithPath: arguments[1])
let argument = arguments[2]
let options: [AnyHashable: Any] = arguments.count == 4 ? [NSPersistentHistoryTrackingKey: true] : [:]
let readOnly = options.merging([NSReadOnlyPersistentStoreOption: true]) { $1 }
do {
  switch arguments[0] {
  case "save": try saveForever(acknowledged: Int64(argument) ?? 0)
  case "verify":
    let store = try CrashStore(file, options: options)
    print("whole up to \(try store.verify(acknowledged: Int64(argument) ?? 0))")
    try store.close()
  case "fill": try fillDisk(ballast: URL(fileURLWithPath: argument))
  case "readonly": try saveReadOnly()
  case "prepare": try MigratedStore(file, options: options).make(itemCount: Int(argument) ?? 0)
  case "migrate":
    say("migrating")
    try MigratedStore(file, options: options).migrate()
    say("migrated")
  case "migrated": say(try MigratedStore(file, options: options).verify(itemCount: Int(argument) ?? 0))
  case "count": try CounterStore(file, options: options).increment(times: Int(argument) ?? 0)
  case "count-until":
    // The creation of this file asks the process to end.
    try CounterStore(file, options: options).increment { !FileManager.default.fileExists(atPath: argument) }
  case "copy": try CounterStore(file, options: readOnly).copy(to: URL(fileURLWithPath: argument))
  case "counted": try CounterStore(file, options: options).verify(count: Int64(argument) ?? 0)
  default: exit(64)
  }
} catch {
  print("wrong: \(error)")
  exit(1)
}

/// Verifies the result of the previous process, prints `ready`, and then a number after each save, until it is killed.
@MainActor func saveForever(acknowledged: Int64) throws {
  let store = try CrashStore(file, options: options)
  let last = try store.verify(acknowledged: acknowledged)
  say("ready \(last)")
  while true { say("saved \(try store.saveNextBatch())") }
}

/// Saves until the disk is full, frees space by removing a file, and saves the changes that the context still has.
@MainActor func fillDisk(ballast: URL) throws {
  let store = try CrashStore(file, options: options)
  var last: Int64 = 0
  do {
    while last < 100_000 { last = try store.saveNextBatch() }
    throw CrashStore.Wrong(description: "the disk did not get full")
  } catch let error as CrashStore.Wrong {
    throw error
  } catch {
    let error = error as NSError
    print("after \(last) saves: \(error.code): \(error.localizedDescription)")
    guard error.domain == NSCocoaErrorDomain, error.code == CocoaError.fileWriteOutOfSpace.rawValue else {
      throw CrashStore.Wrong(description: "the error is not that of a full disk")
    }
  }
  guard store.context.hasChanges else {
    throw CrashStore.Wrong(description: "the context has lost its changes")
  }
  try CrashStore(file, options: readOnly).verify(acknowledged: last)
  try FileManager.default.removeItem(at: ballast)
  try store.context.save()
  try store.close()
  try CrashStore(file, options: options).verify(acknowledged: last + 1)
  print("the same changes were saved once there was room")
}

/// Opens a store that cannot be written, both for writing and read-only, and tries to save.
@MainActor func saveReadOnly() throws {
  do {
    _ = try CrashStore(file, options: options)
    throw CrashStore.Wrong(description: "a store that cannot be written was opened to be written")
  } catch let error as CrashStore.Wrong {
    throw error
  } catch {
    print("to be written: \((error as NSError).code): \(error.localizedDescription)")
  }
  let store = try CrashStore(file, options: readOnly)
  let number = try store.changeForNextBatch()
  let changed = store.context.insertedObjects.count
  do {
    try store.context.save()
    throw CrashStore.Wrong(description: "a read-only store took a save")
  } catch let error as CrashStore.Wrong {
    throw error
  } catch {
    print("read-only: \((error as NSError).code): \(error.localizedDescription)")
  }
  guard changed > 0, store.context.insertedObjects.count == changed else {
    throw CrashStore.Wrong(description: "the context has lost its changes")
  }
  try CrashStore(file, options: readOnly).verify(acknowledged: number - 1)
}
