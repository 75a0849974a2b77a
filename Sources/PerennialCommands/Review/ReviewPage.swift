import Foundation
import Texts

/// An HTML page that shows changes, to be attached to a review: one file without scripts, in light or dark.
///
/// Texts are escaped when they are put into the page, and the template prints them unchanged. The size of the
/// page is bounded: long texts are cut, and changes over a limit are only counted.
struct ReviewPage {
  /// The kinds of changes, which have counts and colors.
  enum Mark: String, CaseIterable {
    case added, changed, removed
    /// A change that prevents a lightweight migration.
    case blocked
    /// A change that a lightweight migration can make only if every object has a value.
    case conditional
  }

  struct Count {
    var number: Int
    var words: MarkupText
    var mark: Mark
  }

  /// A value before and after the change.
  struct Value {
    var name: MarkupText
    var before: MarkupText
    var after: MarkupText

    init(_ name: String, before: String, after: String) {
      self.name = MarkupText(name, atMost: ReviewPage.longestText)
      self.before = MarkupText(before, atMost: ReviewPage.longestText)
      self.after = MarkupText(after, atMost: ReviewPage.longestText)
    }
  }

  struct Change {
    var mark: Mark
    /// The text for the mark.
    var label: MarkupText
    var subject: MarkupText
    /// A description of the change, where the values do not show it.
    var words: MarkupText
    /// A reason or a condition.
    var note: MarkupText
    var values: [Value]

    init(
      mark: Mark,
      label: String? = nil,
      subject: String,
      words: String = "",
      note: String = "",
      values: [Value] = []
    ) {
      self.mark = mark
      self.label = MarkupText(label ?? mark.rawValue)
      self.subject = MarkupText(subject, atMost: ReviewPage.longestText)
      self.words = MarkupText(words, atMost: ReviewPage.longestText)
      self.note = MarkupText(note, atMost: ReviewPage.longestText)
      // An entity may have very many properties, but the size of the page is limited.
      self.values = Array(values.prefix(ReviewPage.mostValues))
      if values.count > ReviewPage.mostValues {
        self.values.append(Value("…", before: "\(values.count - ReviewPage.mostValues) more", after: ""))
      }
    }
  }

  struct Group {
    var title: MarkupText
    var number: Int
    var changes: [Change]
  }

  let title: MarkupText
  /// The two things that were compared.
  let subtitle: MarkupText
  /// The consequence of the changes, as a sentence.
  let verdict: MarkupText
  let counts: [Count]
  let groups: [Group]
  /// The number of changes that exceed the limit and are not shown.
  let leftOut: Int
  let hasMore: Bool
  /// The headers of the columns with values.
  let before: MarkupText
  let after: MarkupText

  /// The largest number of Unicode scalars of a text.
  static let longestText = 2000
  /// The largest number of values of a change.
  static let mostValues = 200
  /// The largest number of changes and values on a page.
  static let mostRows = 5000

  /// - Parameters:
  ///   - changes: the changes with the titles of their groups. The changes of a group follow each other.
  ///   - words: the text for a number of changes with a mark, such as "3 added".
  init(
    title: String,
    subtitle: String,
    verdict: String,
    columns: (before: String, after: String),
    changes: some Sequence<(group: String, change: Change)>,
    words: (Mark) -> String
  ) {
    self.title = MarkupText(title, atMost: 300)
    self.subtitle = MarkupText(subtitle, atMost: 600)
    self.verdict = MarkupText(verdict, atMost: 600)
    before = MarkupText(columns.before)
    after = MarkupText(columns.after)
    var groups: [Group] = []
    var numbers: [Mark: Int] = [:]
    var present: String?
    var rows = 0
    var leftOut = 0
    for (group, change) in changes {
      numbers[change.mark, default: 0] += 1
      rows += 1 + change.values.count
      let isShown = rows <= Self.mostRows
      if !isShown { leftOut += 1 }
      if present != group {
        present = group
        if isShown { groups.append(Group(title: MarkupText(group, atMost: 300), number: 0, changes: [])) }
      }
      guard isShown else { continue }
      groups[groups.count - 1].number += 1
      groups[groups.count - 1].changes.append(change)
    }
    self.groups = groups
    self.leftOut = leftOut
    hasMore = leftOut > 0
    counts = Mark.allCases.compactMap { mark in
      numbers[mark].map { Count(number: $0, words: MarkupText(words(mark)), mark: mark) }
    }
  }

  /// Writes the page to a file, completely or not at all.
  func write(to path: String) throws {
    let html = try ReviewTemplate.html(self)
    try OptionFile(path: path, option: "--html", content: "page").write(html)
  }
}
