/// Selects the notes of a page, according to its address.
package struct NoteQuery: Sendable, Equatable {
  /// The words that each note contains in its text or as a tag.
  package var words = ""
  package var category: String?
  package var tag: String?
  /// The number of the page, counted from 1. The newest notes are on page 1.
  package var page = 1

  /// The number of notes on a page.
  package static let pageSize = 50
  /// The greatest number of words in a search.
  package static let mostWords = 12

  package init(words: String = "", category: String? = nil, tag: String? = nil, page: Int = 1) {
    self.words = words
    self.category = category
    self.tag = tag
    self.page = page
  }

  package var isFiltered: Bool { !words.isEmpty || category != nil || tag != nil }
}

/// A page of notes, with the categories and tags.
package struct NoteList: Sendable, Equatable {
  package var notes: [NoteDetails]
  /// The number of notes that match the query, on all pages.
  package var count: Int
  /// The categories by name, each with the number of all of its notes.
  package var categories: [CategoryDetails]
  /// The tags of all notes, by name.
  package var tags: [TagDetails]
  /// The number of all notes, independent of the query.
  package var total: Int
}
