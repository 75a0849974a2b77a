import StoreEditing
import Texts

extension PageFrame {
  /// The line on every page with the number of staged changes; `nil` where there are none and none can be undone or
  /// redone.
  var strip: StripFields? {
    guard let summary = writing?.session.summary,
      summary.count > 0 || summary.undone != nil || summary.redone != nil
    else { return nil }
    let waiting = writing?.session.latestSave.flatMap { $0.isWaiting ? $0 : nil }
    // No edit can be undone while a save waits.
    let undone = waiting == nil ? summary.undone : nil
    let redone = waiting == nil ? summary.redone : nil
    return StripFields(
      stripCount: BrowserPages.number(summary.count),
      editsAddress: address.edits,
      undoAddress: address.edits("undo"),
      redoAddress: address.edits("redo"),
      waitingSaveAddress: waiting.map { address.saving($0.number) },
      conflictsAddress: summary.conflictCount > 0 ? address.conflicts : nil,
      undone: undone.map { VisibleText(line: $0, atMost: 200).description },
      redone: redone.map { VisibleText(line: $0, atMost: 200).description },
      hasStaged: summary.count > 0,
      isOneChange: summary.count == 1
    )
  }
}
