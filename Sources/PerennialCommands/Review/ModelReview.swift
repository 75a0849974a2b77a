import Foundation
import ModelFormats

/// The page about the changes from one model to another.
enum ModelReview {
  /// - Parameters:
  ///   - names: what the models are called, the older one first.
  ///   - verdict: whether a lightweight migration can do the changes, in a sentence.
  static func page(_ difference: ModelDifference, names: (String, String), verdict: String) -> ReviewPage {
    // What belongs to the model as a whole comes last, and each entity has all of its changes together.
    var groups: [String?: [ModelDifference.Change]] = [:]
    var order: [String?] = []
    for change in difference.changes {
      if groups[change.entity] == nil { order.append(change.entity) }
      groups[change.entity, default: []].append(change)
    }
    let changes = order.flatMap { entity in
      (groups[entity] ?? []).map {
        (group: entity ?? "The model as a whole", change: self.change($0, of: entity))
      }
    }
    return ReviewPage(
      title: "Changes of the model \((names.1 as NSString).lastPathComponent)",
      subtitle: "From \(names.0) to \(names.1)",
      verdict: verdict,
      columns: ("Before", "After"),
      changes: changes
    ) { mark in
      switch mark {
      case .blocked: "in the way of a lightweight migration"
      case .conditional: "possible where no object lacks a value"
      default: mark.rawValue
      }
    }
  }

  private static func change(_ change: ModelDifference.Change, of entity: String?) -> ReviewPage.Change {
    var subject = change.subject
    if let entity, subject.hasPrefix("entity \(entity), ") {
      subject = String(subject.dropFirst("entity \(entity), ".count))
    } else if let entity, subject == "entity \(entity)" {
      subject = "the entity itself"
    }
    let values = change.values.map {
      [ReviewPage.Value($0.field, before: $0.before ?? "", after: $0.after ?? "")]
    }
    let mark = mark(of: change)
    return ReviewPage.Change(
      mark,
      subject,
      // The mark and the values say what they can.
      words: values != nil || change.change == mark.rawValue ? "" : change.change,
      note: change.obstacle ?? change.condition ?? "",
      values: values ?? []
    )
  }

  private static func mark(of change: ModelDifference.Change) -> ReviewPage.Mark {
    if change.obstacle != nil { return .blocked }
    if change.condition != nil { return .conditional }
    switch change.change {
    case "added": return .added
    case "removed": return .removed
    default: return .changed
    }
  }
}
