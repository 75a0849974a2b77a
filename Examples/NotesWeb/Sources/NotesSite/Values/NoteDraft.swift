package import Foundation

/// The input in the form of a note, valid or not.
package struct NoteDraft: Sendable, Equatable {
  package var title = ""
  package var contents = ""
  /// The day of the note, as 2024-01-31.
  package var day = ""
  /// The name of the category; empty if there is none.
  package var category = ""
  package var tags: [String] = []

  package init() {}

  package init(_ note: NoteDetails) {
    title = note.title
    contents = note.contents
    day = note.createdAt.map(NoteDay.text) ?? ""
    category = note.category?.name ?? ""
    tags = note.tags
  }

  /// The draft without invisible parts: white space around the title, carriage returns, control characters
  /// and duplicate tags.
  package var cleaned: NoteDraft {
    var draft = self
    draft.title = Self.visible(title.replacing("\n", with: " ")).trimmingCharacters(
      in: .whitespacesAndNewlines
    )
    draft.contents = Self.visible(contents.replacing("\r\n", with: "\n"))
    draft.day = day.trimmingCharacters(in: .whitespaces)
    var seen: Set<String> = []
    draft.tags = tags.map { Self.visible($0).trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
    return draft
  }

  private static func visible(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(
      contentsOf: text.unicodeScalars.filter { scalar in
        scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
      }
    )
    return String(scalars)
  }
}

/// Converts days of forms and of the seed: midnight in UTC, independent of the time zone.
package enum NoteDay {
  private static let style = Date.ISO8601FormatStyle().year().month().day()

  /// The day as 2024-01-31.
  package static func text(_ date: Date) -> String { date.formatted(style) }

  /// The beginning of a day in the form 2024-01-31; nil for any other text.
  package static func date(_ text: String) -> Date? {
    guard text.utf8.count == 10, let date = try? Date(text, strategy: style), Self.text(date) == text else {
      return nil
    }
    return date
  }

  /// The present day in the server's time zone, which is also the person's.
  package static func today(_ now: Date = .now) -> String {
    var style = Self.style
    style.timeZone = .current
    return now.formatted(style)
  }
}
