import StoreEditing
import Texts

extension PageFrame {
  /// The line on every page that says how much is staged; `nil` where there is nothing to say.
  var strip: TemplateFields? {
    guard let summary = writing?.session.summary,
      summary.count > 0 || summary.undone != nil || summary.redone != nil
    else { return nil }
    return [
      "hasStaged": summary.count > 0,
      "stripCount": BrowserPages.number(summary.count),
      "isOneChange": summary.count == 1,
      "editsAddress": address.edits,
      "conflictsAddress": summary.conflictCount > 0 ? address.conflicts : nil,
      "undone": summary.undone.map { VisibleText(line: $0, atMost: 200).description },
      "redone": summary.redone.map { VisibleText(line: $0, atMost: 200).description },
      "undoAddress": address.edits("undo"),
      "redoAddress": address.edits("redo"),
    ]
  }
}
