import Foundation
import Hummingbird
import StoreEditing
import Texts

/// The action that led to the page of staged changes.
enum EditsNotice: String {
  case undo, redo, discard, save, cancel, deletion

  var words: String {
    switch self {
    case .undo: "The last edit was undone."
    case .redo: "The edit was made again."
    case .discard: "All changes were discarded."
    case .save: "All changes were saved."
    case .cancel: "The save was cancelled. Nothing was saved, and all changes are kept."
    case .deletion: "The deletion is staged; nothing is deleted before it is saved."
    }
  }
}

/// The items in the address of the page of staged changes.
enum EditsPage {
  /// The name of the item with the entity whose new objects alone are shown.
  static let newItem = "new"
}

extension BrowserPages {
  /// Returns the page of all staged changes, or of the new objects of an entity and its subentities.
  func editsPage(
    _ writing: BrowserWriting,
    did news: EditsNotice? = nil,
    newOf entity: String? = nil,
    invalid: [InvalidValue] = []
  ) async throws -> Response {
    let review =
      if let entity { try await writing.session.reviewOfNew(entity) } else {
        try await writing.session.review()
      }
    let groups: [(StagedObject.Kind, String, Int)] = [
      (.inserted, "New", review.insertedCount), (.updated, "Changed", review.updatedCount),
      (.deleted, "To be deleted", review.deletedCount),
    ]
    var fields = EditsPageFields(
      allChanges: address.edits,
      saveAddress: address.edits("save"),
      discardAddress: address.edits("discard"),
      news: news?.words,
      newOf: entity.map(Self.oneLine),
      untold: review.untoldCount > 0 ? Self.number(review.untoldCount) : nil,
      isEmpty: review.count == 0,
      // The buttons save or discard all changes, so that only the page of all changes has them.
      hasStaged: review.count > 0 && entity == nil,
      invalid: invalid.map { self.invalid($0) },
      groups: groups.filter { $0.2 > 0 }.map { kind, title, count in
        StagedGroupFields(
          groupTitle: title,
          groupCount: Self.number(count),
          objects: review.objects.filter { $0.kind == kind }.map(staged)
        )
      }
    )
    if news == .save, let saved = writing.session.lastSaved { add(saved, to: &fields) }
    return .page(
      frame.page(fields, title: "Unsaved changes", tab: nil),
      status: invalid.isEmpty ? .ok : .unprocessableContent
    )
  }

  /// Adds the links to the objects that a save has written, and to the grids of their entities.
  private func add(_ saved: SavedObjects, to fields: inout EditsPageFields) {
    fields.savedObjects = saved.objects.map { link in
      SavedObjectFields(
        savedName: link.name,
        savedEntity: Self.oneLine(link.object.entity),
        savedAddress: address.page(of: link.object)
      )
    }
    fields.savedUntold = saved.untoldCount > 0 ? Self.number(saved.untoldCount) : nil
    fields.savedEntities = saved.entities.map { entity in
      SubentityFields(subentityName: Self.oneLine(entity), subentityAddress: address.entity(entity))
    }
  }

  private func invalid(_ value: InvalidValue) -> InvalidValueFields {
    InvalidValueFields(
      invalidName: value.object?.name ?? "A change",
      invalidWords: frame.sentence(value.message, atMost: 500),
      invalidAddress: value.object.map { address.edit($0.object) },
      invalidProperty: value.property.map(Self.oneLine)
    )
  }

  /// Returns the response to the outcome of a save.
  func answer(to outcome: SaveOutcome, writing: BrowserWriting) async throws -> Response {
    switch outcome {
    case .saved: .seeOther(address.edits(did: .save))
    case .conflicts: .seeOther(address.conflicts)
    case .invalid(let values): try await editsPage(writing, invalid: values)
    }
  }
}
