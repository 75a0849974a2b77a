import CoreData
import Foundation

// What Scripts/crash-test runs, and kills. Usage: CrashTest save|verify|fill|readonly STORE ARGUMENT

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
  print("usage: CrashTest save|verify|fill|readonly STORE ARGUMENT")
  exit(64)
}
let file = URL(fileURLWithPath: arguments[2])
do {
  switch arguments[1] {
  case "save": try saveForever(acknowledged: Int64(arguments[3]) ?? 0)
  case "verify": print("whole up to \(try CrashStore(file).verify(acknowledged: Int64(arguments[3]) ?? 0))")
  case "fill": try fillDisk(ballast: URL(fileURLWithPath: arguments[3]))
  case "readonly": try saveReadOnly()
  default: exit(64)
  }
} catch {
  print("wrong: \(error)")
  exit(1)
}

/// Verifies what the process before left, says `ready`, and then a number after each save, until it is killed.
func saveForever(acknowledged: Int64) throws {
  let store = try CrashStore(file)
  let last = try store.verify(acknowledged: acknowledged)
  say("ready \(last)")
  while true { say("saved \(try store.saveNextBatch())") }
}

/// Writes a line at once: what is in a buffer goes with the process.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Saves until the disk is full, makes room by removing a file, and saves what the context still has.
func fillDisk(ballast: URL) throws {
  let store = try CrashStore(file)
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
  try CrashStore(file, options: [NSReadOnlyPersistentStoreOption: true]).verify(acknowledged: last)
  try FileManager.default.removeItem(at: ballast)
  try store.context.save()
  try store.close()
  try CrashStore(file).verify(acknowledged: last + 1)
  print("the same changes were saved once there was room")
}

/// Opens a store in a folder that cannot be written, to be written and read-only, and tries to save.
func saveReadOnly() throws {
  do {
    _ = try CrashStore(file)
    throw CrashStore.Wrong(description: "a store that cannot be written was opened to be written")
  } catch let error as CrashStore.Wrong {
    throw error
  } catch {
    print("to be written: \((error as NSError).code): \(error.localizedDescription)")
  }
  let store = try CrashStore(file, options: [NSReadOnlyPersistentStoreOption: true])
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
  try CrashStore(file, options: [NSReadOnlyPersistentStoreOption: true]).verify(acknowledged: number - 1)
}
