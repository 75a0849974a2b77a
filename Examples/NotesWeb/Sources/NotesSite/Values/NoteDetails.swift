package import Foundation

/// A note as a page shows it: objects stay in their context, and values like this leave it.
package struct NoteDetails: Sendable, Equatable {
  package var id: NoteID
  package var title: String
  package var contents: String
  package var createdAt: Date?
  package var updatedAt: Date?
  package var category: CategoryDetails?
  /// The names of the tags, in their order.
  package var tags: [String]

  /// Changes whenever something of the note does that a person can edit. A form brings back the one of the
  /// note that it was made of, so that a change of somebody else in between is noticed.
  package var revision: String {
    // FNV-1a, with lengths, so that no text can run into the next one.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let day = createdAt.map { "\($0.timeIntervalSinceReferenceDate)" } ?? ""
    for text in [title, contents, day, category?.name ?? ""] + tags {
      withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { $0.forEach(add) }
      text.utf8.forEach(add)
    }
    return String(hash, radix: 16)
  }
}

/// A category and its colour.
package struct CategoryDetails: Sendable, Equatable {
  package var name: String
  /// Red, green and blue, two digits each, as `7A8B3C`; nil where the store has anything else.
  package var color: String?
  /// The number of notes that it has, where somebody counted them.
  package var noteCount: Int?
}

/// A tag and the number of its notes.
package struct TagDetails: Sendable, Equatable {
  package var name: String
  package var noteCount: Int
}
