import Foundation

/// The categories and tags that filter the list.
struct FiltersView {
  struct Choice {
    var name: String
    var color: String?
    var count: Int
    var address: String
    var isChosen: Bool
  }

  var all: Choice
  var categories: [Choice]
  var tags: [Choice]

  init(_ list: NoteList, _ query: NoteQuery) {
    let everything = query.with(category: nil).with(tag: nil)
    all = Choice(
      name: "All notes",
      count: list.total,
      address: "/" + everything.address(),
      isChosen: query.category == nil && query.tag == nil
    )
    categories = list.categories.map { category in
      let isChosen = category.name == query.category
      return Choice(
        name: category.name,
        color: category.color,
        count: category.noteCount ?? 0,
        address: "/" + query.with(category: isChosen ? nil : category.name).address(),
        isChosen: isChosen
      )
    }
    tags = list.tags.map { tag in
      let isChosen = tag.name == query.tag
      return Choice(
        name: tag.name,
        count: tag.noteCount,
        address: "/" + query.with(tag: isChosen ? nil : tag.name).address(),
        isChosen: isChosen
      )
    }
  }
}

/// The notes of a page by month.
struct ListView {
  struct Month {
    var name: String
    var notes: [Row]
  }

  struct Row {
    var id: String
    var title: String
    var snippet: String?
    var day: String?
    var date: String?
    var category: String?
    var color: String?
    var tags: [String]
    var address: String
    var isOpen: Bool
  }

  var heading: String
  /// True if the list is the main content of the page and has its first heading.
  var isMain: Bool
  var count: String
  var months: [Month]
  /// The sentence that is shown if there are no notes.
  var emptySentence: String?
  /// The address without search and filters; nil if there are none.
  var clearAddress: String?
  var newerAddress: String?
  var olderAddress: String?

  init(_ list: NoteList, _ query: NoteQuery, open: NoteID?, isMain: Bool) {
    self.isMain = isMain
    heading = Self.heading(query)
    count = list.count == 1 ? "1 note" : "\(list.count) notes"
    months = []
    for note in list.notes {
      let row = Row(note, query, isOpen: note.id == open)
      let name = note.createdAt.map(Self.month) ?? "Without a day"
      if months.last?.name == name {
        months[months.count - 1].notes.append(row)
      } else {
        months.append(Month(name: name, notes: [row]))
      }
    }
    clearAddress = query.isFiltered ? "/" : nil
    if list.notes.isEmpty {
      emptySentence =
        list.total == 0
        ? "Nothing is written here yet."
        : "No note is like that. Fewer words, or another category, find more."
    }
    if query.page > 1 { newerAddress = "/" + query.with(page: query.page - 1).address() }
    if query.page * NoteQuery.pageSize < list.count {
      olderAddress = "/" + query.with(page: query.page + 1).address()
    }
  }

  private static func heading(_ query: NoteQuery) -> String {
    let kinds = [query.category, query.tag].compactMap { $0 }.joined(separator: ", ")
    guard query.words.isEmpty else {
      return kinds.isEmpty ? "“\(query.words)”" : "“\(query.words)” in \(kinds)"
    }
    return kinds.isEmpty ? "All notes" : kinds
  }

  private static func month(_ date: Date) -> String { date.formatted(PageDates.month) }
}

extension ListView.Row {
  init(_ note: NoteDetails, _ query: NoteQuery, isOpen: Bool) {
    id = note.id.description
    title = note.title.isEmpty ? "Without a title" : note.title
    snippet = note.contents.isEmpty ? nil : Self.snippet(note.contents)
    day = note.createdAt?.formatted(PageDates.shortDay)
    date = note.createdAt.map(NoteDay.text)
    category = note.category?.name
    color = note.category?.color
    tags = note.tags
    address = "/notes/\(note.id)\(query.address())"
    self.isOpen = isOpen
  }

  private static func snippet(_ contents: String) -> String {
    guard let end = contents.index(contents.startIndex, offsetBy: 160, limitedBy: contents.endIndex) else {
      return contents
    }
    return contents[..<end].trimmingCharacters(in: .whitespacesAndNewlines) + "…"
  }
}

/// Formats dates for pages, in their language and in UTC like the days of the notes.
enum PageDates {
  private static let style = Date.FormatStyle(locale: Locale(identifier: "en_GB"), timeZone: .gmt)
  static let month = style.month(.wide).year()
  static let shortDay = style.day().month(.abbreviated)
  static let day = style.day().month(.wide).year()
}
