import CoreData
import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  private static let transactionsPerPage = 30
  private static let changesPerTransaction = 20

  /// Returns the page of a store's history: the author and the time of each save, the newest first.
  func historyPage(_ items: QueryItems) async throws -> Response {
    guard timeline.hasHistory else { return missingHistoryPage() }
    let choice = HistoryChoice(items)
    let filter = try filter(choice)
    let page = try await timeline.page(
      filter,
      before: items["before"].flatMap(Int64.init),
      limit: Self.transactionsPerPage,
      changeLimit: Self.changesPerTransaction,
      within: readLimit
    )
    let authors = try await timeline.authors(within: readLimit)
    var older = choice.items
    if let next = page.next { older.append(("before", "\(next)")) }
    let fields = HistoryPageFields(
      historyAddress: address.history,
      momentsAddress: address.moments,
      since: choice.since ?? "",
      until: choice.until ?? "",
      newest: items["before"] == nil ? nil : address.history + PageAddress.query(choice.items),
      older: page.next == nil ? nil : address.history + PageAddress.query(older),
      isFiltered: !choice.items.isEmpty,
      hasPages: items["before"] != nil || page.next != nil,
      object: choice.key == nil ? nil : object(choice),
      authors: authors.map { author in
        AuthorFields(authorName: Self.text(author), authorValue: author, authorIsCurrent: author == choice.author)
      },
      entities: catalogue.entities.map { entity in
        HistoryEntityFields(
          entityChoice: Self.text(entity.name),
          entityValue: entity.name,
          entityIsCurrent: entity.name == choice.entity && choice.key == nil
        )
      },
      transactions: page.transactions.map { transaction($0) }
    )
    return .page(frame.page(fields, title: "History", tab: .history))
  }

  /// The filter of the history that an address contains.
  private struct HistoryChoice {
    let entity: String?
    /// The key of an object of the entity.
    let key: Int64?
    let author: String?
    /// The times as the form sends them.
    let since: String?
    let until: String?

    init(_ items: QueryItems) {
      entity = items["entity"]
      key = entity == nil ? nil : items["key"].flatMap(Int64.init)
      author = items["author"]
      since = items["since"]
      until = items["until"]
    }

    var items: [(String, String)] {
      [
        ("entity", entity), ("key", key.map { "\($0)" }), ("author", author), ("since", since),
        ("until", until),
      ]
      .compactMap { name, value in value.map { (name, $0) } }
    }
  }

  private func filter(_ choice: HistoryChoice) throws -> TimelineFilter {
    var filter = TimelineFilter()
    filter.author = choice.author
    filter.entity = choice.entity
    filter.since = try choice.since.map(moment)
    filter.until = try choice.until.map(end)
    if let name = choice.entity, let key = choice.key {
      filter.object = try explored.objectID(try explored.entity(name), key: key)
    }
    return filter
  }

  private func moment(_ text: String) throws -> Date {
    if let date = LocalTime().date(text) { return date }
    throw HTTPError(.badRequest, message: "\"\(Self.text(text))\" is not a time such as 2024-01-31T12:00.")
  }

  /// Returns the end of the time that the user typed. A day includes all of its hours, and a minute all of its seconds.
  private func end(_ text: String) throws -> Date {
    let date = try moment(text)
    return text.utf8.count == 10
      ? try moment(text).addingTimeInterval(86_400)
      : text.utf8.count == 16 ? date.addingTimeInterval(60) : date
  }

  private func object(_ choice: HistoryChoice) -> HistoryObjectFields {
    let link = ObjectLink(entity: choice.entity ?? "", key: choice.key ?? 0)
    return HistoryObjectFields(objectWords: link.name, objectAddress: address.object(link))
  }

  private static func text(_ text: String) -> String { VisibleText(line: text, atMost: 200).description }

  func transaction(_ transaction: TimelineTransaction) -> TransactionFields {
    let counts = [
      (transaction.insertedCount, "inserted"), (transaction.updatedCount, "updated"),
      (transaction.deletedCount, "deleted"),
    ]
    let untold = transaction.untoldCount
    return TransactionFields(
      number: "\(transaction.number)",
      sinceAddress: address.moments + PageAddress.query([("from", "\(transaction.number)")]),
      date: LocalTime().words(transaction.date),
      transactionAddress: address.transaction(transaction.number),
      exactDate: LocalTime().exact(transaction.date),
      author: transaction.author.map(Self.text),
      authorAddress: transaction.author.map { address.history + PageAddress.query([("author", $0)]) },
      contextName: transaction.contextName.map(Self.text),
      program: transaction.bundle.isEmpty ? nil : Self.text(transaction.bundle),
      process: transaction.process.isEmpty ? nil : Self.text(transaction.process),
      untold: untold > 0 ? Self.number(untold) : nil,
      changes: transaction.changes.map(change),
      counts: counts.filter { $0.0 > 0 }.map { "\(Self.number($0.0)) \($0.1)" }
    )
  }

  func change(_ change: TimelineChange) -> ChangeFields {
    let link = ObjectLink(entity: change.object.entity, key: change.object.id.key)
    let left = change.tombstone.map { "\($0.key): \($0.value)" }
    return ChangeFields(
      kind: change.kind.rawValue,
      changedName: Self.text(change.object.name),
      changedEntity: Self.text(change.object.entity),
      changedKey: "\(link.key)",
      changedHistory: address.history
        + PageAddress.query([("entity", link.entity), ("key", "\(link.key)")]),
      changedAddress: change.isThere ? address.object(link) : nil,
      properties: change.properties.isEmpty ? nil : Self.text(change.properties.joined(separator: ", ")),
      left: left.isEmpty ? nil : VisibleText(line: left.joined(separator: ", "), atMost: 500).description
    )
  }
}
