import StoreEditing
import StoreExploration
import Texts

extension StagedObject.Kind {
  /// The word that marks an object of this kind in a list.
  var mark: String {
    switch self {
    case .inserted: "new"
    case .updated: "changed"
    case .deleted: "deleted"
    }
  }
}

extension BrowserPages {
  /// Returns the mark of a saved object with staged changes; `nil` for an object without staged changes.
  func stagedMark(of link: ObjectLink, marks: StagedMarks?) -> String? {
    marks?.kind(of: EditedObject(entity: link.entity, key: link.key))?.mark
  }

  /// Adds the fields of the link from a grid to the staged new objects of its entity.
  func addNewStaged(_ entity: String, to fields: inout GridPageFields) {
    let count = writing?.session.marks.newCount(of: entity) ?? 0
    fields.newStaged = count > 0 ? Self.number(count) : nil
    fields.isOneNew = count == 1
    fields.newStagedAddress = address.edits(newOf: entity)
  }
}
