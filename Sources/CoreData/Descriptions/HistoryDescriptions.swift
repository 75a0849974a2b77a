import Foundation

extension NSPersistentHistoryToken {
  /// `<NSPersistentHistoryToken - {…}>`: the number of the last transaction by the identifier of its store.
  final func describe() -> String {
    let numbers = numbers.reduce(into: [AnyHashable: Any]()) { $0[$1.key] = $1.value }
    return "<NSPersistentHistoryToken - \(DescriptionNode.entries(numbers).text())>"
  }
}

extension NSPersistentHistoryTransaction {
  final func describe() -> String {
    ObjectHead.text(
      self,
      [
        ("transactionNumber", "\(transactionNumber)"), ("storeID", storeID),
        ("timestamp", DescriptionNode.text(of: timestamp)), ("author", author.orNull),
        ("contextName", contextName.orNull), ("bundleID", bundleID), ("processID", processID),
        ("changes", changes.map { DescriptionNode.list($0.map(\.summary)).text() }.orNull),
      ]
    )
  }
}

extension NSPersistentHistoryChange {
  final func describe() -> String {
    ObjectHead.text(
      self,
      [
        ("changeID", "\(changeID)"), ("changeType", "\(changeType)"),
        ("changedObjectID", changedObjectID.description),
        ("updatedProperties", updatedNames.map { DescriptionNode.list($0).text() }),
        ("tombstone", tombstone.map { DescriptionNode.entries($0).text() }),
      ]
    )
  }

  private final var updatedNames: [String]? { updatedProperties?.map(\.name).sorted() }

  /// One line of a transaction.
  fileprivate final var summary: String {
    let names = updatedNames.map { " of \($0.joined(separator: ", "))" } ?? ""
    return "\(changeID): \(changeType)\(names) \(changedObjectID)"
  }
}

extension NSQueryGenerationToken {
  final func describe() -> String {
    ObjectHead.text(self, [("generation", generation.map { "\($0.number)" } ?? "current")])
  }
}

extension NSPersistentHistoryChangeRequest {
  final func describe() -> String {
    let (what, position) =
      switch operation {
      case .fetch(let position): ("fetchHistory after", position)
      case .delete(let position): ("deleteHistory before", position)
      }
    return ObjectHead.text(
      self,
      [(what, position.text), ("fetchRequest", fetchRequest?.description), ("resultType", "\(resultType)")]
    )
  }
}

extension NSPersistentHistoryChangeRequest.Position {
  fileprivate var text: String {
    switch self {
    case .beginning: "the beginning"
    case .date(let date): DescriptionNode.text(of: date)
    case .token(let token): token.description
    case .transaction(let transaction): "transaction \(transaction.transactionNumber) of \(transaction.storeID)"
    }
  }
}
