import CoreData
import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  private static let changesPerPage = 100

  /// Returns the page of all changes of one transaction of the history.
  func transactionPage(_ parameters: Parameters, items: QueryItems) async throws -> Response {
    let text = try parameters.require("number")
    guard let number = Int64(text), "\(number)" == text, number > 0, number < .max else {
      throw HTTPError(.notFound, message: "The address has no number of a transaction.")
    }
    let offset = max(0, items["offset"].flatMap(Int.init) ?? 0)
    let page = try await timeline.page(before: number + 1, limit: 1, changeLimit: 0, within: readLimit)
    guard let transaction = page.transactions.first, transaction.number == number else {
      throw HTTPError(.notFound, message: "The history has no transaction \(number), or not any more.")
    }
    let difference = try await timeline.difference(
      from: number - 1,
      to: number,
      offset: offset,
      limit: Self.changesPerPage,
      within: readLimit
    )
    let last = offset + difference.changes.count
    func place(at offset: Int) -> String {
      address.transaction(number) + PageAddress.query(offset > 0 ? [("offset", "\(offset)")] : [])
    }
    let fields = TransactionPageFields(
      historyAddress: address.history,
      partial: difference.partialTransaction == nil ? nil : Self.number(TimelineDifference.mostChanges),
      rangeWords: difference.changes.isEmpty
        ? nil
        : "\(Self.number(offset + 1)) to \(Self.number(last)) of \(Self.number(difference.counts.all))",
      previousPage: offset > 0 ? place(at: max(0, offset - Self.changesPerPage)) : nil,
      nextPage: last < difference.counts.all && !difference.changes.isEmpty ? place(at: last) : nil,
      hasPages: offset > 0 || last < difference.counts.all,
      transaction: self.transaction(transaction),
      objects: difference.changes.map { change($0) }
    )
    return .page(frame.page(fields, title: "Transaction \(number)", tab: .history))
  }

  /// Returns the page that replaces the history if the store does not record one.
  func missingHistoryPage() -> Response {
    let fields = MissingPageFields(
      missingTitle: "History",
      missingText: frame.sentence(Timeline.noHistory.problem, atMost: 500),
      missingRemedy: VisibleText(line: Timeline.noHistory.remedy, atMost: 1_000).description
    )
    return .page(frame.page(fields, title: "History", tab: .history))
  }

  /// Returns the page that replaces the comparison if the store is not compared with another store.
  func missingComparisonPage() -> Response {
    let fields = MissingPageFields(
      missingTitle: "Comparison",
      missingText: "This store is not compared with another one.",
      missingRemedy:
        "start perennial browse with --compare and another store of the same model, such as a backup"
    )
    return .page(frame.page(fields, title: "Comparison", tab: .comparison))
  }
}
