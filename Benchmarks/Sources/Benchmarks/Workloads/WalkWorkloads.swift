import CoreData
import Foundation
import Samples

/// Walks from notes to their categories and tags, with one query for all notes and with one for each.
struct WalkWorkloads {
  static let notes = 100_000

  let files: SampleFiles

  func prefetched() throws -> Workload {
    let url = try NoteStore.make(files, count: Self.notes)
    let raw = try RawSQLite(url.path)
    let expected = NoteStore.tagsOfANote * Self.notes
    let store = try NoteStore(url)
    let request = NSFetchRequest<BenchmarkNote>(entityName: "Note")
    request.relationshipKeyPathsForPrefetching = ["category", "tags"]
    return Workload(
      title: "walk from \(Self.notes) notes to category and tags, prefetched",
      contenders: [
        Contender("C API") {
          let found = try raw.walk()
          precondition(found == expected)
        },
        Contender("managed objects", [.times(2.5)]) {
          let context = store.context()
          let found = try withExtendedLifetime(context) { try Self.walk($0.fetch(request)) }
          precondition(found == expected)
        },
        NoteFloors.prefetched(try RawSQLite(url.path, hasMutex: false), expected),
      ]
    )
  }

  func oneByOne() throws -> Workload {
    let url = try NoteStore.make(files, count: Self.notes)
    let raw = try RawSQLite(url.path)
    let count = Self.notes / 10
    let store = try NoteStore(url)
    let request = NSFetchRequest<BenchmarkNote>(entityName: "Note")
    request.fetchLimit = count
    return Workload(
      title: "walk from \(count) notes to category and tags, one query each",
      contenders: [
        Contender("C API") {
          let found = try raw.walkOneByOne(count)
          precondition(found == count * NoteStore.tagsOfANote)
        },
        Contender("managed objects", [.times(2.5)]) {
          let context = store.context()
          let found = try withExtendedLifetime(context) { try Self.walk($0.fetch(request)) }
          precondition(found == count * NoteStore.tagsOfANote)
        },
        NoteFloors.oneByOne(
          try RawSQLite(url.path, hasMutex: false),
          notes: count,
          count * NoteStore.tagsOfANote
        ),
      ]
    )
  }

  /// Counts the named tags of notes whose category has a name.
  private static func walk(_ notes: [BenchmarkNote]) -> Int {
    var count = 0
    for note in notes where note.category?.name != nil {
      for tag in note.tags where tag.name != nil { count += 1 }
    }
    return count
  }
}
