import CoreData
import Foundation
import HTTPTypes
import Hummingbird
import StoreExploration
import Texts

/// The comparison of the store with another store, and the other store's name.
struct BrowsedComparison: Sendable {
  let stores: ComparedStores
  let name: String
}

/// The kinds of difference between an object in this store and in the other store, as addresses name them.
enum ComparedWay: String, CaseIterable {
  case here, there, different

  var kind: ObjectDifference.Kind {
    switch self {
    case .here: .inserted
    case .there: .deleted
    case .different: .changed
    }
  }

  func count(_ counts: ComparisonCounts) -> Int {
    switch self {
    case .here: counts.inserted
    case .there: counts.deleted
    case .different: counts.changed
    }
  }

  var title: String {
    switch self {
    case .here: "only in this store"
    case .there: "only in the other store"
    case .different: "different"
    }
  }
}

extension BrowserPages {
  /// Returns the comparison.
  ///
  /// - Throws: a response with the status 404 where the store is not compared with another store.
  func compared() throws -> BrowsedComparison {
    if let comparison { return comparison }
    throw HTTPError(.notFound, message: "The store is compared with no other one.")
  }

  /// Returns the page of the comparison with its progress or its result. A script loads only the progress.
  func comparisonPage(_ items: QueryItems) throws -> Response {
    guard let compared = comparison else { return missingComparisonPage() }
    let report = compared.stores.report
    if items["part"] != nil { return .page(Templates.render(progressFields(report))) }
    let rows = rows(of: report, compared: compared)
    let isEqual = report.stage == .finished && report.counts.values.allSatisfy(\.areEqual)
    let fields = ComparisonPageFields(
      otherName: Self.comparedText(compared.name),
      startAddress: address.comparison + "/start",
      number: "\(report.number)",
      outcome: Self.outcome(report),
      failure: Self.failure(report).map { frame.sentence($0) },
      isFirst: report.number == 0,
      isIdle: report.stage != .running,
      isEqual: isEqual,
      hasAmbiguous: report.counts.values.contains { $0.ambiguous > 0 },
      progress: report.stage == .running ? progressFields(report) : nil,
      rows: rows
    )
    return .page(frame.page(fields, title: "Comparison", tab: .comparison))
  }

  /// Starts a comparison and redirects to its page. A reload of the address does not start another one.
  func startComparison(_ request: Request) throws -> Response {
    let stores = try compared().stores
    // A HEAD request must not start anything.
    if request.method == .get { stores.start(after: request.queryItems["after"].flatMap(Int.init) ?? -1) }
    return seeOther(address.comparison)
  }

  /// Stops the running comparison and redirects to its page.
  func stopComparison(_ request: Request) throws -> Response {
    let stores = try compared().stores
    if request.method == .get { stores.stop(request.queryItems["number"].flatMap(Int.init) ?? -1) }
    return seeOther(address.comparison)
  }

  private func seeOther(_ address: String) -> Response { Response(status: .seeOther, headers: [.location: address]) }

  private func progressFields(_ report: ComparedStores.Report) -> ComparisonProgressFields {
    let progress = report.progress
    return ComparisonProgressFields(
      comparisonAddress: address.comparison,
      stopAddress: address.comparison + "/stop",
      runningNumber: "\(report.number)",
      readCount: Self.number(progress?.readCount ?? 0),
      expectedCount: Self.number(progress?.expectedCount ?? 0),
      readValue: "\(progress?.readCount ?? 0)",
      expectedValue: "\(max(1, progress?.expectedCount ?? 1))",
      doneCount: Self.number(report.counts.count),
      entityCount: Self.number(report.entityCount),
      entityName: progress.map { Self.comparedText($0.entity) },
      isRunning: report.stage == .running
    )
  }

  private static func outcome(_ report: ComparedStores.Report) -> String? {
    guard let end = report.end else { return nil }
    let when = "on \(LocalTime().words(end))"
    switch report.stage {
    case .finished: return "Compared \(when)."
    case .stopped:
      return
        "Stopped \(when), after \(number(report.counts.count)) of \(number(report.entityCount)) entities."
    case .failed:
      return
        "Failed \(when), after \(number(report.counts.count)) of \(number(report.entityCount)) entities."
    case .notStarted, .running: return nil
    }
  }

  private static func failure(_ report: ComparedStores.Report) -> String? {
    if case .failed(let words) = report.stage { words } else { nil }
  }

  private func rows(of report: ComparedStores.Report, compared: BrowsedComparison) -> [ComparisonRowFields] {
    let matchings = compared.stores.matchings
    return report.counts.sorted { $0.key < $1.key }.map { entity, counts in
      ComparisonRowFields(
        name: Self.comparedText(entity),
        entityAddress: address.entity(entity),
        same: Self.number(counts.same),
        ambiguous: counts.ambiguous > 0 ? Self.number(counts.ambiguous) : nil,
        matching: matchings[entity].map { Self.comparedText(Self.words(of: $0)) },
        ways: ComparedWay.allCases.map { way in
          let count = way.count(counts)
          return ComparisonWayFields(
            wayCount: Self.number(count),
            wayTitle: way.title,
            wayAddress: count > 0 ? address.compared(entity, way: way) : nil
          )
        }
      )
    }
  }

  /// Describes how the objects of the two stores are matched.
  static func words(of matching: ObjectMatching) -> String {
    let keys = matching.keyPaths.joined(separator: ", ")
    return switch matching.reason {
    case .chosen: "\(keys), as chosen"
    case .model: "\(keys), as the model says"
    case .uuid: "\(keys), a UUID"
    case .customaryName: "\(keys), by its name"
    case .primaryKey: "the key"
    }
  }

  static func comparedText(_ text: String) -> String { VisibleText(line: text, atMost: 300).description }
}
