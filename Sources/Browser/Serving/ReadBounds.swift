import Foundation
import StoreExploration

/// The limits for the reads of one store's pages.
struct ReadBounds: Sendable {
  /// The time limit for each read.
  let timeLimit: Duration
  /// The pool of reads with a predicate. Its default leaves a processor to other pages.
  var predicates = ReadPool(count: min(2, ProcessInfo.processInfo.activeProcessorCount - 1))
  /// The pool of reads without a predicate that scan a whole table, such as facets.
  let scans = ReadPool(count: 1)

  private static let remedy =
    "narrow the predicate (compare an indexed attribute first, without CONTAINS, LIKE or MATCHES), "
    + "add an index to the model, or allow more time (perennial browse --time-limit SECONDS)"

  /// Returns the limit for the reads of an address.
  ///
  /// - Parameters:
  ///   - path: the path of the request, relative to the browser's base path.
  ///   - items: the items of the address's query.
  ///   - client: the client that waits for the response; `nil` where its connection is not watched.
  func limit(path: String, items: QueryItems, client: ReadClient? = nil) -> ReadLimit {
    let hasPredicate = !(items["where"] ?? "").allSatisfy(\.isWhitespace)
    let words = path.split(separator: "/")
    let isScan =
      words.first == "entity" && (3...4).contains(words.count)
      && ["facet", "orphans", "seed", "export.seed.json", "count.json"].contains(words.last)
    let pool = hasPredicate ? predicates : isScan ? scans : nil
    return ReadLimit(
      timeLimit,
      pool: pool,
      client: pool == nil ? nil : client,
      remedy: Self.remedy
    )
  }
}
