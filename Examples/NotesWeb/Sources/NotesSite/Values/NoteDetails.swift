package import Foundation

/// A note in the form of a page. Objects stay in their context; values like this can leave it.
package struct NoteDetails: Sendable, Equatable {
  package var id: NoteID
  package var title: String
  package var contents: String
  package var createdAt: Date?
  package var updatedAt: Date?
  package var category: CategoryDetails?
  /// The names of the tags, in their order.
  package var tags: [String]

  /// A hash of everything that a person can edit. A form sends back the revision from which it was made, so
  /// that a change in between is detected.
  package var revision: String {
    // FNV-1a with lengths, so that neighboring texts cannot be confused.
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

/// A category and its color.
package struct CategoryDetails: Sendable, Equatable {
  package var name: String
  /// Red, green and blue with two hexadecimal digits each, as `7A8B3C`; nil if the store has another text.
  package var color: String?
  /// The number of its notes; nil if they were not counted.
  package var noteCount: Int?
}

/// A tag and the number of its notes.
package struct TagDetails: Sendable, Equatable {
  package var name: String
  package var noteCount: Int
}
