import CoreData
import Foundation

extension Stack {
  /// A request for notes, sorted by title.
  func notes(_ format: String? = nil, limit: Int = 0) throws -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = try format.map { try NSPredicate(parsing: $0, arguments: []) }
    request.sortDescriptors = ["title", "medium"].map { NSSortDescriptor(key: $0, ascending: true) }
    request.fetchLimit = limit
    return request
  }

  /// The titles of the notes, initially and after each change.
  func titleUpdates(_ format: String? = nil, limit: Int = 0) throws -> FetchedUpdates<String> {
    context.updates(of: try notes(format, limit: limit)) { note in note.title ?? "" }
  }

  /// Works on the context's queue, and waits until the work is done.
  func work(_ work: @escaping @Sendable (Stack) throws -> Void) async throws {
    try await context.perform { try work(self) }
  }

  /// Inserts notes with these titles, and saves.
  func saveNotes(_ titles: [String]) async throws {
    try await work { stack in
      for title in titles { stack.note(title) }
      try stack.save()
    }
  }
}

extension NSManagedObjectContext {
  /// Deletes, renames or inserts notes in this context, and saves.
  func saveNotes(
    inserting new: [String] = [],
    renaming renamed: [String: String] = [:],
    deleting deleted: [String] = []
  ) async throws {
    try await perform {
      for note in try self.fetch(NSFetchRequest<Note>(entityName: "Note")) {
        let title = note.title ?? ""
        if deleted.contains(title) { self.delete(note) }
        if let name = renamed[title] { note.title = name }
      }
      for title in new { Note(context: self).title = title }
      try self.save()
    }
  }
}
