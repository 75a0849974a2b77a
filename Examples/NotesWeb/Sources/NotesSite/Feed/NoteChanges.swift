/// What became of notes, in one save.
package struct NoteChanges: Sendable, Equatable, Codable {
  package var inserted: [String] = []
  package var updated: [String] = []
  package var deleted: [String] = []

  /// The number of notes, which may be more than are named.
  package var count = 0

  /// More notes than these are not named in one event.
  package static let mostNamed = 100

  package init() {}
}

/// What open pages are told.
package enum FeedEvent: Sendable, Equatable {
  case changes(NoteChanges)
  case seeding(SeedingStage)
}

/// How far the first seeding is.
package enum SeedingStage: Sendable, Equatable {
  /// Nothing is known yet of the notes that come with the program.
  case waiting
  /// They are being taken in: the part that is done, from 0 to 1, and what is being done, in words.
  case running(Double, String)
  /// They were taken in, so many now; 0 when an earlier launch has done so.
  case finished(created: Int)
  /// They could not be taken in; the text is for the person.
  case failed(String)
}
