import CoreData
import Foundation
import NoteSeeds
import Seeding

/// A store of many notes, each with a category and three tags. It is made once and kept for later runs.
struct LargeStore {
  private let notes: Int
  private let folder: URL

  init(notes: Int, in folder: URL) {
    self.notes = notes
    self.folder = folder.appendingPathComponent("notes-\(notes)")
  }

  /// The file of the store, which is made if it does not exist.
  func url() throws -> URL {
    let store = folder.appendingPathComponent("Notes.sqlite")
    if FileManager.default.fileExists(atPath: store.path) { return store }
    print("making a store of \(notes) notes in \(folder.path)")
    // A store is made under another name and then renamed, so that an existing one is always complete.
    let making = folder.appendingPathExtension("making")
    if FileManager.default.fileExists(atPath: making.path) { try FileManager.default.removeItem(at: making) }
    try FileManager.default.createDirectory(at: making, withIntermediateDirectories: true)
    try fill(making.appendingPathComponent("Notes.sqlite"), in: making)
    try FileManager.default.moveItem(at: making, to: folder)
    return store
  }

  private func fill(_ store: URL, in folder: URL) throws {
    let file = folder.appendingPathComponent("notes.jsonl")
    try NotesFile(notes: notes).write(to: file)
    let model = NotesModel.make(indexed: ["createdAt", "title"])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: store)
    _ = try Seeder(.file(file), policy: .always).runAndWait(in: coordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    try FileManager.default.removeItem(at: file)
  }

  /// The creation time of a note in the store: seconds since 2001.
  static func created(_ note: Int) -> Int { 1_500_000_000 - 978_307_200 + note }

  /// The update time of a note, which has no index.
  static func updated(_ note: Int) -> Int { created(note) + 60 }
}
