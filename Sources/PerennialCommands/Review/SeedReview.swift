import Foundation
import Seeding

/// The page that shows how a store differs from seeds.
enum SeedReview {
  static func page(_ preview: SeedPreview, store: String, seeds: [String]) -> ReviewPage {
    let names = seeds.prefix(20).joined(separator: ", ") + (seeds.count > 20 ? ", …" : "")
    return ReviewPage(
      title: "How \((store as NSString).lastPathComponent) differs from seeds",
      subtitle: "Store: \(store). Seeds: \(names)",
      verdict: preview.changes.isEmpty
        ? "The store has everything as the seeds have it."
        : "The store does not have everything as the seeds have it.",
      columns: ("In the store", "In the seeds"),
      changes: preview.changes.lazy.map { (group: $0.entity, change: change($0)) }
    ) { mark in
      switch mark {
      case .added: "missing in the store"
      case .removed: "surplus: without a record in the seeds"
      default: "different"
      }
    }
  }

  /// The word for the change of an object in the store.
  static func word(for kind: SeedPreview.Change.Kind) -> String {
    switch kind {
    case .created: "missing"
    case .updated: "different"
    case .deleted: "surplus"
    }
  }

  private static func change(_ change: SeedPreview.Change) -> ReviewPage.Change {
    let mark: ReviewPage.Mark =
      switch change.kind {
      case .created: .added
      case .updated: .changed
      case .deleted: .removed
      }
    return ReviewPage.Change(
      mark: mark,
      label: word(for: change.kind),
      subject: change.name,
      values: change.values.map { .init($0.key, before: $0.present, after: $0.new) }
    )
  }
}
