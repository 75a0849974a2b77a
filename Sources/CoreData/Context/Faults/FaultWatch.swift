import Logging

/// Counts the faults that the objects of each fetch fire, for one context and on its queue.
///
/// A context without a policy has no watch, and its fetches and faults look at one `nil`.
final class FaultWatch {
  /// A place in a program's source.
  struct Place: CustomStringConvertible {
    let fileID: StaticString
    let line: UInt

    var description: String { "\(fileID):\(line)" }
  }

  private final class Fetch {
    let entity: String
    let place: Place?
    var counts: [String: Int] = [:]
    /// The counts at which the next warning is logged.
    var limits: [String: Int] = [:]

    init(entity: String, place: Place?) {
      self.entity = entity
      self.place = place
    }
  }

  /// How a context came to an object: by a fetch, and by relationships from the objects that it found.
  private struct Origin {
    let fetch: Fetch
    /// The relationships that lead from the found object to this one; empty for a found object.
    var keys: [String] = []
    /// The entity that has the last relationship.
    var entity = ""
  }

  /// The most objects whose origin is known. Then all are forgotten, so that a context that lives long does not grow.
  private static let mostOrigins = 100_000
  /// The most relationships in a chain.
  private static let mostKeys = 8

  let policy: FaultPolicy
  /// The place of the fetch that is running.
  var place: Place?
  private var origins: [ObjectReference: Origin] = [:]

  /// - Returns: `nil` for a policy that needs no watch.
  init?(_ policy: FaultPolicy) {
    if policy == .ignore { return nil }
    self.policy = policy
  }

  // MARK: - Origins

  /// Takes note of the objects that a fetch has found.
  func found(_ objects: [NSManagedObject], of entity: NSEntityDescription) {
    let origin = Origin(fetch: Fetch(entity: entity.name ?? "", place: place))
    for object in objects { set(origin, of: object) }
  }

  /// Takes note of the objects that a relationship of another object leads to.
  func reached(_ objects: [NSManagedObject], by relationship: String, of source: NSManagedObject) {
    guard var origin = origins[source.reference], origin.keys.count < Self.mostKeys else { return }
    origin.keys.append(relationship)
    origin.entity = source.layout.entity.name ?? ""
    for object in objects { set(origin, of: object) }
  }

  private func set(_ origin: Origin, of object: NSManagedObject) {
    if origins.count >= Self.mostOrigins { origins.removeAll() }
    origins[object.reference] = origin
  }

  // MARK: - Faults

  /// Called before a store is asked for the values of one object.
  ///
  /// - Throws: an error where the policy refuses the fault.
  func willFire(_ object: NSManagedObject) throws {
    guard let origin = origins[object.reference], !origin.keys.isEmpty else { return }
    try count(origin)
  }

  /// Called before a store is asked for the destinations of one object.
  ///
  /// - Throws: an error where the policy refuses the fault.
  func willFollow(_ relationship: String, of object: NSManagedObject) throws {
    guard var origin = origins[object.reference] else { return }
    origin.keys.append(relationship)
    origin.entity = object.layout.entity.name ?? ""
    try count(origin)
  }

  private func count(_ origin: Origin) throws {
    let fetch = origin.fetch
    let keyPath = origin.keys.joined(separator: ".")
    let count = fetch.counts[keyPath, default: 0] + 1
    fetch.counts[keyPath] = count
    switch policy {
    case .ignore: break
    case .report(let threshold):
      let limit = fetch.limits[keyPath] ?? max(1, threshold)
      if count < limit { return }
      let next = limit.multipliedReportingOverflow(by: 10)
      fetch.limits[keyPath] = next.overflow ? .max : next.partialValue
      report(origin, keyPath: keyPath, count: count)
    case .refuse:
      if count < 2 { return }
      throw StoreFailure.operation(
        "the fault policy refuses a second fault: \(Self.words(origin, keyPath: keyPath, count: count))."
      )
    }
  }

  private func report(_ origin: Origin, keyPath: String, count: Int) {
    var metadata: Logger.Metadata = [
      "entity": "\(origin.entity)", "relationship": "\(origin.keys.last ?? "")", "count": "\(count)",
    ]
    if let place = origin.fetch.place { metadata["fetch"] = "\(place)" }
    // The logger is made each time, so that it uses the program's log handler even if the program
    // sets up its logging later.
    Logger(label: "CoreData").warning("\(Self.words(origin, keyPath: keyPath, count: count))", metadata: metadata)
  }

  private static func words(_ origin: Origin, keyPath: String, count: Int) -> String {
    let fetch = origin.fetch
    let place = fetch.place.map { " at \($0)" } ?? ""
    return """
      \(count) fault\(count == 1 ? "" : "s") of \(origin.entity).\(origin.keys.last ?? "") fired one by one for the objects \
      of one fetch of \(fetch.entity)\(place), each with a statement of its own; add "\(keyPath)" to the request's \
      relationshipKeyPathsForPrefetching, and set fetchBatchSize where only some of the objects are used
      """
  }
}
