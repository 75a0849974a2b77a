import Foundation

// For the developer of a store: readable descriptions of what a save, a batch or a conflict carries.

extension ObjectReference: CustomStringConvertible {
  /// `p1` or `t5`, as in the object's ID, with the number of the entity.
  @usableFromInline
  package var description: String { "\(isTemporary ? "t" : "p")\(key.magnitude) of entity \(entity)" }
}

extension Row: CustomStringConvertible {
  /// The slots that have values, and the version.
  @usableFromInline
  package var description: String {
    "version \(version) \(node(of: Array(layout.slots.indices).filter(hasValue)).text())"
  }

  func node(of slots: [Int]) -> DescriptionNode {
    var parts: [DescriptionNode.Entry] = []
    for slot in slots {
      let type = layout.slots[slot].attribute?.attributeType
      parts.append(DescriptionNode.Entry(key: layout.slots[slot].name, value: value(slot).node(type)))
    }
    return .dictionary(parts.sorted { $0.key < $1.key })
  }
}

extension ChangeSet: CustomStringConvertible {
  package var description: String {
    func text(_ changes: [ObjectChange]) -> String {
      DescriptionNode.list(changes) { .word($0.description) }.text()
    }
    return "ChangeSet inserted \(text(inserted)), updated \(text(updated)), deleted \(text(deleted))"
  }
}

extension ObjectChange: CustomStringConvertible {
  package var description: String {
    let name = layout.entity.name ?? ""
    let key = "\(reference.isTemporary ? "t" : "p")\(reference.key.magnitude)"
    let slots = committed == nil ? layout.persistentSlots : changedSlots
    let values = row.map { " \($0.node(of: slots).text(1))" } ?? ""
    let links = toMany.map { " \(layout.toMany[$0.relationship].name) \($0)" }.joined()
    return "\(name)/\(key)\(values)\(links)"
  }
}

extension ToManyChange: CustomStringConvertible {
  package var description: String {
    func text(_ references: [ObjectReference]) -> String { DescriptionNode.list(references.map(\.description)).text(1) }
    let order = ordered.map { ", ordered \(text($0))" } ?? ""
    return "added \(text(added)), removed \(text(removed))\(order)"
  }
}

extension VersionConflict: CustomStringConvertible {
  package var description: String { "\(reference) is now \(persisted.map(\.description) ?? "deleted")" }
}

extension ConstraintViolation: CustomStringConvertible {
  package var description: String {
    let names = constraint.names.joined(separator: ", ")
    return
      "\(reference) has the \(names) of \(holder.map(\.description) ?? "another object of the change set")"
  }
}

extension CommitOutcome: CustomStringConvertible {
  package var description: String {
    switch self {
    case .saved(let references, let transactions):
      let keys = references.sorted { $0.key > $1.key }.map { "t\($0.key.magnitude) is \($0.value)" }
      let numbers = transactions.reduce(into: [AnyHashable: Any]()) { $0[$1.key] = $1.value }
      return """
        saved, permanent references \(DescriptionNode.list(keys).text()), \
        transactions \(DescriptionNode.entries(numbers).text())
        """
    case .conflicts(let conflicts): return "conflicts \(DescriptionNode.list(conflicts.map(\.description)).text())"
    case .violations(let violations): return "violations \(DescriptionNode.list(violations.map(\.description)).text())"
    }
  }
}
