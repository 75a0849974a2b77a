import Foundation
import StoreEditing
import StoreExploration
import Texts

/// The template fields of staged changes.
extension BrowserPages {
  /// The greatest number of a value's characters that a difference shows.
  private static let longestDifference = 1_000

  /// Returns true for a value that a difference shows in part.
  static func isCut(_ value: ShownValue) -> Bool {
    switch value {
    case .data: true
    case .text(let text): text.count > longestDifference
    default: false
    }
  }

  func staged(_ object: StagedObject) -> StagedObjectFields {
    StagedObjectFields(
      stagedName: object.link.name,
      stagedEntity: Self.oneLine(object.link.object.entity),
      stagedAddress: address.page(of: object.link.object),
      isTakenAlong: object.isTakenAlong,
      isDeletion: object.kind == .deleted,
      differences: object.changes.map(difference)
    )
  }

  private func difference(_ change: StagedChange) -> DifferenceFields {
    var fields = DifferenceFields(differenceName: Self.oneLine(change.property))
    switch change.difference {
    case .value(let before, let after):
      fields.isValue = true
      fields.before = value(before)
      fields.after = value(after)
    case .members(let added, let removed, let untold, let order):
      fields.isMembers = true
      fields.added = added.map { value(.object($0)) }
      fields.removed = removed.map { value(.object($0)) }
      fields.untold = untold > 0 ? Self.number(untold) : nil
      fields.order = order?.objects.map { value(.object($0)) } ?? []
      fields.untoldOrder = order.flatMap { $0.untold > 0 ? Self.number($0.untold) : nil }
    }
    return fields
  }

  /// Returns the fields of a value, or of an object's name with the address of its page.
  func value(_ value: StagedValue) -> StagedValueFields {
    var fields = StagedValueFields()
    switch value {
    case .value(.none), .object(nil): fields.valueIsNone = true
    case .value(.text("")): fields.valueText = "“”"
    case .value(.text(let text)):
      fields.valueText = VisibleText(lines: text.cut(to: Self.longestDifference)).description
    case .value(.data(_, let count)): fields.valueText = Self.bytes(count)
    case .value(let value): fields.valueText = value.plainText
    case .object(let link?):
      fields.valueText = link.name
      fields.valueAddress = address.page(of: link.object)
    }
    return fields
  }
}
