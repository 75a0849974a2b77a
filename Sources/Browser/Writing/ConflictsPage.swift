import Foundation
import Hummingbird
import StoreEditing
import Texts

extension BrowserPages {
  /// Returns the page on which the user chooses between staged changes and the changes that others have saved.
  func conflictsPage(_ writing: BrowserWriting, isOutdated: Bool = false) async throws -> Response {
    let conflicts = try await writing.session.conflicts()
    let fields = ConflictsPageFields(
      stamp: Self.stamp(conflicts),
      action: address.conflicts,
      editsAddress: address.edits,
      isOutdated: isOutdated,
      conflicts: conflicts.enumerated().map { conflict($1, index: $0) }
    )
    return .page(frame.page(fields, title: "Conflicts", tab: nil), status: isOutdated ? .unprocessableContent : .ok)
  }

  /// Saves with the user's decisions.
  func settle(_ form: FormFields, writing: BrowserWriting) async throws -> Response {
    let conflicts = try await writing.session.conflicts()
    if conflicts.isEmpty { return .seeOther(address.edits) }
    // Another user may have tried to save since this user opened the page.
    guard form["stamp"] == Self.stamp(conflicts) else { return try await conflictsPage(writing, isOutdated: true) }
    var decisions: [EditedObject: EditingConflict.Decision] = [:]
    for (index, conflict) in conflicts.enumerated() {
      decisions[conflict.object.object] = Self.decision(conflict, index: index, form: form)
    }
    return try await answer(to: try writing.session.beginSave(deciding: decisions), writing: writing)
  }

  private static func decision(_ conflict: EditingConflict, index: Int, form: FormFields)
    -> EditingConflict.Decision?
  {
    if conflict.kind != .changed {
      return form["whole.\(index)"].flatMap(EditingConflict.Side.init).map { .whole($0) }
    }
    var sides: [String: EditingConflict.Side] = [:]
    for (place, property) in conflict.properties.enumerated() {
      sides[property.name] = form["side.\(index).\(place)"].flatMap(EditingConflict.Side.init)
    }
    // A form without a side for an object means that the user has not seen the object.
    return sides.isEmpty ? nil : .properties(sides)
  }

  /// Returns a hash of the conflicts, by which the server recognizes an outdated form.
  private static func stamp(_ conflicts: [EditingConflict]) -> String {
    var hasher = Hasher()
    hasher.combine(conflicts)
    return String(UInt(bitPattern: hasher.finalize()), radix: 16)
  }

  private func conflict(_ conflict: EditingConflict, index: Int) -> ConflictFields {
    ConflictFields(
      conflictName: conflict.object.name,
      conflictEntity: Self.oneLine(conflict.object.object.entity),
      conflictWords: Self.words(conflict.kind),
      conflictAddress: conflict.needsEdit || conflict.kind == .changed
        ? address.edit(conflict.object.object) : nil,
      needsEdit: conflict.needsEdit,
      isGone: conflict.kind == .deletedThere,
      hasProperties: !conflict.properties.isEmpty,
      properties: conflict.properties.enumerated().map { place, property in
        ConflictPropertyFields(
          propertyName: Self.oneLine(property.name),
          sideName: "side.\(index).\(place)",
          isDecided: conflict.kind != .changed,
          isMineChosen: property.customarySide == .mine,
          isTheirsChosen: property.customarySide == .theirs,
          isContested: property.isMineChanged && property.isTheirsChanged
            && property.mine != property.theirs,
          base: value(property.base),
          mine: value(property.mine),
          theirs: value(property.theirs)
        )
      },
      wholes: conflict.sides.map { side in
        ConflictSideFields(
          wholeName: "whole.\(index)",
          wholeValue: side.rawValue,
          wholeWords: Self.words(side, kind: conflict.kind),
          isOnly: conflict.sides.count == 1
        )
      }
    )
  }

  private static func words(_ kind: EditingConflict.Kind) -> String {
    switch kind {
    case .changed: return "Another user or program has saved other values since."
    case .deletedThere: return "Another user or program has deleted the object. Its key cannot be used again."
    case .deletedHere: return "Another user or program has changed the object that you deleted."
    case .notUnique(let constraint, let other, _):
      let names = oneLine(constraint.joined(separator: ", "))
      let holder = other.map { "\($0.name) in the store has" } ?? "another change that is not saved has"
      return "The model allows one object with these values of \(names), and \(holder) them."
    }
  }

  private static func words(_ side: EditingConflict.Side, kind: EditingConflict.Kind) -> String {
    switch (kind, side) {
    case (.deletedHere, .mine): "Delete it"
    case (.deletedHere, .theirs): "Keep it with the stored values"
    case (.notUnique, .mine): "Write my values to the stored object, and create no new object"
    case (.notUnique(_, _, let isNew), .theirs):
      isNew
        ? "Keep the stored object, and discard my new object" : "Discard my values of these properties"
    default: "Discard my changes of the object"
    }
  }
}
