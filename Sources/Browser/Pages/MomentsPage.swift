import CoreData
import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  private static let objectsPerPage = 100

  /// Returns the page with the differences between two moments of a store's history. Each moment is the end of a
  /// transaction.
  func momentsPage(_ items: QueryItems) async throws -> Response {
    let moments = HistoryMoments(items)
    let difference = try await timeline.difference(
      from: moments.from,
      to: moments.to,
      offset: moments.offset,
      limit: Self.objectsPerPage,
      within: readLimit
    )
    let counts = [
      (difference.counts.inserted, "inserted"), (difference.counts.updated, "changed"),
      (difference.counts.deleted, "deleted"),
    ]
    let last = moments.offset + difference.changes.count
    let fields = MomentsPageFields(
      historyAddress: address.history,
      momentsAddress: address.moments,
      from: moments.from.map { "\($0)" } ?? "",
      to: moments.to.map { "\($0)" } ?? "",
      momentsWords: Self.words(of: difference, to: moments.to),
      transactionCount: Self.number(difference.transactionCount),
      mostChanges: Self.number(TimelineDifference.mostChanges),
      firstAddress: address.moments + PageAddress.query(moments.items(offset: 0)),
      shortened: difference.isShortened ? difference.from.map { "\($0)" } : nil,
      partial: difference.partialTransaction.map { "\($0)" },
      passing: difference.counts.passing > 0 ? Self.number(difference.counts.passing) : nil,
      pageWords: difference.changes.isEmpty
        ? nil
        : "\(Self.number(moments.offset + 1)) to \(Self.number(last)) of "
          + Self.number(difference.counts.all),
      previousPage: moments.offset > 0
        ? address.moments
          + PageAddress.query(moments.items(offset: max(0, moments.offset - Self.objectsPerPage))) : nil,
      nextPage: last < difference.counts.all && !difference.changes.isEmpty
        ? address.moments + PageAddress.query(moments.items(offset: last)) : nil,
      isOneTransaction: difference.transactionCount == 1,
      isEmpty: difference.counts.all == 0,
      isBeyond: difference.counts.all > 0 && difference.changes.isEmpty,
      hasPages: moments.offset > 0 || last < difference.counts.all,
      objects: difference.changes.map { change($0) },
      counts: counts.filter { $0.0 > 0 }.map { "\(Self.number($0.0)) \($0.1)" }
    )
    return .page(frame.page(fields, title: "Between two moments", tab: .history))
  }

  private static func words(of difference: TimelineDifference, to end: Int64?) -> String {
    let start = difference.from.map { "after transaction \($0)" } ?? "from the beginning of the history"
    return start + (end.map { " up to transaction \($0)" } ?? " up to now")
  }
}

/// The two moments that an address names, and the offset in the list of changed objects.
struct HistoryMoments {
  /// The transaction that ends at the earlier moment; `nil` for the beginning of the history.
  let from: Int64?
  /// The transaction that ends at the later moment; `nil` for now.
  let to: Int64?
  let offset: Int

  init(_ items: QueryItems) {
    let given = (items["from"].flatMap(Int64.init), items["to"].flatMap(Int64.init))
    // The two are swapped if the user picked the later transaction first.
    if let from = given.0, let to = given.1, from > to {
      (self.from, self.to) = (to, from)
    } else {
      (from, to) = given
    }
    offset = max(0, items["offset"].flatMap(Int.init) ?? 0)
  }

  func items(offset: Int) -> [(String, String)] {
    var items = [("from", from), ("to", to)].compactMap { name, number in number.map { (name, "\($0)") } }
    if offset > 0 { items.append(("offset", "\(offset)")) }
    return items
  }
}
