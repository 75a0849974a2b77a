import CoreData
import Foundation
import TestSupport
import Testing

@testable import PerennialCommands

@Suite("A store that a command could not fill")
struct AbandonedStoreTests {
  private struct Failure: Error {}

  private let folder: TestFolder
  private let path: String
  private let model: NSManagedObjectModel

  init() throws {
    folder = try TestFolder()
    path = folder.url.appendingPathComponent("New.sqlite").path
    model = try ModelFile(Program.notes.appendingPathComponent("Notes.xcdatamodeld").path).currentModel()
  }

  private var isThere: Bool { FileManager.default.fileExists(atPath: path) }

  private var timeout: NSError { NSError(domain: NSCocoaErrorDomain, code: NSPersistentStoreTimeoutError) }

  @Test("goes again when the command has made it, and stays when another one has")
  func makers() throws {
    let (first, second) = (
      try OpenedStore(writing: path, model: model), try OpenedStore(writing: path, model: model)
    )
    second.abandon(after: Failure())
    #expect(isThere)
    first.abandon(after: Failure())
    #expect(!isThere)
  }

  @Test("stays when it is another program's by now, which has its lock")
  func locked() throws {
    for error in [timeout, CommandFailure("no", cause: timeout)] as [any Error] {
      try OpenedStore(writing: path, model: model).abandon(after: error)
      #expect(isThere)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test("is no file before its folder was looked at")
  func noFolder() throws {
    let path = folder.url.appendingPathComponent("no/New.sqlite").path
    #expect(throws: CommandFailure.self) { try OpenedStore(writing: path, model: model) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
