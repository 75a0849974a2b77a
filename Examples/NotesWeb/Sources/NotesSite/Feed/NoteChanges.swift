/// The effects of one save on notes.
package struct NoteChanges: Sendable, Equatable, Codable {
  package var inserted: [String] = []
  package var updated: [String] = []
  package var deleted: [String] = []

  /// The number of affected notes, which may be greater than the number of names.
  package var count = 0

  /// The greatest number of notes that an event names.
  package static let mostNamed = 100

  package init() {}
}

/// An event for the open pages.
package enum FeedEvent: Sendable, Equatable {
  case changes(NoteChanges)
  case seeding(SeedingStage)
}

/// The stage of the first seeding.
package enum SeedingStage: Sendable, Equatable {
  /// The seeding has not begun yet.
  case waiting
  /// The notes are being loaded. The values are the finished part from 0 to 1 and a description of the phase.
  case running(Double, String)
  /// The notes were loaded, with the number of created notes. It is 0 if an earlier launch has loaded them.
  case finished(created: Int)
  /// The notes could not be loaded. The text is for the person.
  case failed(String)
}
