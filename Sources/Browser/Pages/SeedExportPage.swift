import CoreData
import Foundation
import Hummingbird
import Seeding
import StoreExploration
import Texts

extension BrowserPages {
  /// The time limit for the counts of the other seeds.
  private static let countsLimit = Duration.seconds(5)
  private static let mostOmissions = 200

  /// Returns the page with the contents and the omissions of a seed, before the user saves it.
  func seedExportPage(_ subject: SeedSubject, items: QueryItems) async throws -> Response {
    let subject = subject.fromStart
    let reach = subject.reach(items)
    let seeds = StoreSeeds(explored)
    let seed = try await seeds.seed(of: subject, reach: reach, within: readLimit)
    var counts = try await counts(of: subject, seeds: seeds)
    counts[reach] = seed.counts.map(\.count).reduce(0, +)
    let entity = VisibleText(line: subject.entity, atMost: 200).description
    let name = try await shownName(of: subject)
    var fields = SeedExportPageFields(
      entityName: entity,
      entityAddress: address.entity(subject.entity),
      subjectName: name,
      fileAddress: address.seed(of: subject, part: "export.seed.json", reach: reach),
      fileSize: Self.bytes(seed.text.count),
      upAddress: address.entity(subject.entity),
      upName: name,
      untold: seed.omissions.count > Self.mostOmissions
        ? Self.number(seed.omissions.count - Self.mostOmissions) : nil,
      counts: seed.counts.map { entity, count in
        CountFields(countEntity: VisibleText(line: entity, atMost: 200).description, countNumber: Self.number(count))
      },
      reaches: DumpReach.allCases.map {
        reachFields($0, subject: subject, count: counts[$0], isChosen: $0 == reach)
      },
      omissions: seed.omissions.prefix(Self.mostOmissions).map {
        VisibleText(line: $0, atMost: 500).description
      }
    )
    switch subject {
    case .objects(let query):
      fields.upAddress = address.grid(query)
      fields.upName = "objects"
      if !query.predicate.isEmpty {
        fields.seedPredicate = VisibleText(line: query.predicate, atMost: 500).description
      }
      if let scope = query.scope { fields.scope = scopeFields(scope, query: query) }
    case .object(let entity, let key): fields.upAddress = address.object(ObjectLink(entity: entity, key: key))
    }
    return .page(frame.page(fields, title: "\(name) as a seed", tab: .entities, entity: subject.entity))
  }

  /// Returns the seed of objects as a file for saving.
  func seedFile(_ subject: SeedSubject, items: QueryItems) async throws -> Response {
    let subject = subject.fromStart
    let seed = try await StoreSeeds(explored)
      .seed(of: subject, reach: subject.reach(items), within: readLimit)
    var response = Response.bytes(seed.text, type: "application/json; charset=utf-8")
    response.headers[.contentDisposition] =
      "attachment; filename=\"\(Self.fileName(of: subject.entity)).seed.json\""
    return response
  }

  /// Returns the number of objects of each seed. It is empty if counting takes longer than the limit; the page then
  /// shows only the count of its own seed.
  private func counts(of subject: SeedSubject, seeds: StoreSeeds) async throws -> [DumpReach: Int] {
    do {
      return try await seeds.counts(of: subject, within: Self.countsLimit)
    } catch let failure as ExplorationFailure where failure.code == .tookTooLong {
      return [:]
    }
  }

  private func shownName(of subject: SeedSubject) async throws -> String {
    switch subject {
    case .objects(let query): VisibleText(line: query.entity, atMost: 200).description
    case .object(let entity, let key):
      try await StoreObjects(explored).link(to: entity, key: key, within: readLimit).name
    }
  }

  /// Returns the fields of a reach.
  ///
  /// - Parameter count: the number of objects of the seed; `nil` where there are too many, or counting takes too long.
  private func reachFields(_ reach: DumpReach, subject: SeedSubject, count: Int?, isChosen: Bool)
    -> ReachFields
  {
    ReachFields(
      reachName: subject.words(for: reach),
      reachAddress: address.seed(of: subject, part: "seed", reach: reach),
      reachWords: reach.explanation,
      reachCount: count.map { $0 == 1 ? "1 object" : "\(Self.number($0)) objects" },
      isChosen: isChosen
    )
  }
}

extension SeedSubject {
  fileprivate var fromStart: SeedSubject {
    guard case .objects(let query) = self else { return self }
    return .objects(query.fromStart)
  }

  /// Returns the reach that an address asks for. The default is `keys` for a single object and `needed` for several
  /// objects.
  fileprivate func reach(_ items: QueryItems) -> DumpReach {
    if let reach = items["with"].flatMap(DumpReach.init) { return reach }
    return switch self {
    case .object: .keys
    case .objects: .needed
    }
  }

  fileprivate func words(for reach: DumpReach) -> String {
    let isOne = if case .object = self { true } else { false }
    return switch reach {
    case .keys: isOne ? "This object, with references as keys" : "These objects, with references as keys"
    case .owned: isOne ? "With what it owns" : "With what they own"
    case .needed: isOne ? "With everything that it needs" : "With everything that they need"
    }
  }
}

extension DumpReach {
  fileprivate var explanation: String {
    switch self {
    case .keys: "It loads into a store that has the objects that are referred to."
    case .owned: "It has what is deleted along with the objects too. References to others are keys."
    case .needed:
      "It has what the objects refer to, what is deleted along with them and what they may not lack. "
        + "It loads into an empty store."
    }
  }
}

extension PageAddress {
  /// Returns the address of a seed, or of the page that offers it.
  fileprivate func seed(of subject: SeedSubject, part: String, reach: DumpReach) -> String {
    let start =
      switch subject {
      case .objects(let query): grid(query, part: part)
      case .object(let entity, let key): object(ObjectLink(entity: entity, key: key)) + "/\(part)"
      }
    return start + (start.contains("?") ? "&" : "?") + "with=\(reach.rawValue)"
  }
}
