import Files
import Foundation
import Texts

/// A page of HTML about changes, to be attached to a review: one file without scripts, in light or dark.
///
/// All of its texts are escaped when they are put in, and the template puts them out as they are. Its size
/// is bounded: long texts are cut, and a page has a number of changes at the most, with a word on the rest.
struct ReviewPage {
  /// The marks of changes, by which they are counted and coloured.
  enum Mark: String, CaseIterable {
    case added, changed, removed
    /// A change that a lightweight migration cannot do.
    case blocked
    /// A change that one can do only where no object lacks a value.
    case conditional
  }

  struct Count {
    var number: Int
    var words: MarkupText
    var mark: Mark
  }

  /// A value of something before and after the change.
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
    /// The word for the mark.
    var label: MarkupText
    var subject: MarkupText
    /// What happened in words, where values do not say it.
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
      // An entity may have very many properties, and a page has to end.
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
  /// What was compared with what.
  let subtitle: MarkupText
  /// What follows from the changes, in a sentence.
  let verdict: MarkupText
  let counts: [Count]
  let groups: [Group]
  /// The number of changes that the page has no room for.
  let leftOut: Int
  let hasMore: Bool
  /// The words over the columns of values.
  let before: MarkupText
  let after: MarkupText

  /// The number of characters of Unicode that a text has at the most.
  static let longestText = 2000
  /// The number of values that a change has at the most.
  static let mostValues = 200
  /// The number of changes and values that a page has at the most.
  static let mostRows = 5000

  /// - Parameters:
  ///   - changes: the changes with the titles of the groups that they belong to, one group after another.
  ///   - words: the words for a number of changes with a mark, such as "3 added".
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

  /// Writes the page into a file, which is there as a whole or not at all.
  func write(to path: String) throws {
    let html = try ReviewTemplate.html(self)
    do {
      try FileOutput.write(Data(html.utf8), to: URL(fileURLWithPath: path))
    } catch {
      throw CommandFailure(
        file: path,
        problem: "the page cannot be written here: \(error.localizedDescription)",
        remedy: "give another file with --html"
      )
    }
  }
}
