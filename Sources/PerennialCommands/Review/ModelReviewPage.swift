import Foundation
import ModelFormats

/// The page that shows the changes from one model to another.
enum ModelReviewPage {
  /// - Parameter names: the names of the models, the older one first.
  static func page(_ review: ModelReview, names: (String, String)) -> ReviewPage {
    let changes = review.groups.flatMap { group in
      group.changes.map { (group: group.entity ?? "The model as a whole", change: change($0)) }
    }
    return ReviewPage(
      title: "Changes of the model \((names.1 as NSString).lastPathComponent)",
      subtitle: "From \(names.0) to \(names.1)",
      verdict: review.verdict,
      columns: ("Before", "After"),
      changes: changes
    ) { mark in ModelReview.Mark(rawValue: mark.rawValue)?.words ?? mark.rawValue }
  }

  private static func change(_ change: ModelReview.Change) -> ReviewPage.Change {
    let values = change.values.map { [ReviewPage.Value($0.field, before: $0.before ?? "", after: $0.after ?? "")] }
    return ReviewPage.Change(
      mark: mark(change.mark),
      subject: change.subject,
      words: change.words,
      note: change.note,
      values: values ?? []
    )
  }

  private static func mark(_ mark: ModelReview.Mark) -> ReviewPage.Mark {
    switch mark {
    case .added: .added
    case .changed: .changed
    case .removed: .removed
    case .blocked: .blocked
    case .conditional: .conditional
    }
  }
}
