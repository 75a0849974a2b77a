import CoreData

/// The numbers of staged changes, conflicts and possible undo steps of a session.
package struct StagedSummary: Hashable, Sendable {
  /// The number of objects that a save would insert, change or delete.
  package var count = 0
  /// The name of the edit that the next undo takes back; `nil` if there is none.
  package var undone: String?
  /// The name of the edit that the next redo repeats; `nil` if there is none.
  package var redone: String?
  /// The number of unsettled conflicts of the last save.
  package var conflictCount = 0

  package init() {}
}

extension EditingState {
  var summary: StagedSummary { summary(of: StagedChanges(self)) }

  func summary(of changes: StagedChanges) -> StagedSummary {
    var summary = StagedSummary()
    let undoManager = context.undoManager
    summary.count = changes.objects.count
    if undoManager?.canUndo == true { summary.undone = Self.actionName(undoManager?.undoActionName) }
    if undoManager?.canRedo == true { summary.redone = Self.actionName(undoManager?.redoActionName) }
    summary.conflictCount = conflicts.count
    return summary
  }

  private static func actionName(_ name: String?) -> String {
    guard let name, !name.isEmpty else { return "the last change" }
    return name
  }
}
