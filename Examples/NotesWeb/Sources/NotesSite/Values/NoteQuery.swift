/// The notes that a page is about, as its address says.
package struct NoteQuery: Sendable, Equatable {
  /// The words that each of the notes has in its text or as a tag.
  package var words = ""
  package var category: String?
  package var tag: String?
  /// Counted from 1, the newest notes first.
  package var page = 1

  /// The notes of a page.
  package static let pageSize = 50
  /// More words than these are not looked for.
  package static let mostWords = 12

  package init(words: String = "", category: String? = nil, tag: String? = nil, page: Int = 1) {
    self.words = words
    self.category = category
    self.tag = tag
    self.page = page
  }

  package var isFiltered: Bool { !words.isEmpty || category != nil || tag != nil }
}

/// A page of notes, and what there is besides.
package struct NoteList: Sendable, Equatable {
  package var notes: [NoteDetails]
  /// The number of notes that the query finds, on all pages.
  package var count: Int
  /// The categories with the number of all their notes, by name.
  package var categories: [CategoryDetails]
  /// The tags that notes have, by name.
  package var tags: [TagDetails]
  /// The number of all notes, whatever the query.
  package var total: Int
}
