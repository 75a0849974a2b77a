public import Foundation
import Predicates

/// Asks for the events of the stores of a container.
///
/// Apple's documentation of `NSPersistentCloudKitContainerEventRequest`. A context carries it out
/// by `execute(_:)`, and answers with an ``NSPersistentCloudKitContainerEventResult``.
open class NSPersistentCloudKitContainerEventRequest: NSPersistentStoreRequest {
  /// The form of the result; the events unless set.
  open var resultType = NSPersistentCloudKitContainerEventResult.ResultType.events

  private final let begin: Date?
  private final let fetch: NSFetchRequest<any NSFetchRequestResult>?

  private init(after date: Date?, fetch: NSFetchRequest<any NSFetchRequestResult>?) {
    begin = date
    self.fetch = fetch
    super.init()
  }

  /// Asks for the events that began after a date.
  public class func fetchEvents(after date: Date) -> NSPersistentCloudKitContainerEventRequest {
    NSPersistentCloudKitContainerEventRequest(after: date, fetch: nil)
  }

  /// Asks for the events that began after another; for all when that is `nil`.
  public class func fetchEvents(
    after event: NSPersistentCloudKitContainer.Event?
  ) -> NSPersistentCloudKitContainerEventRequest {
    NSPersistentCloudKitContainerEventRequest(after: event?.startDate, fetch: nil)
  }

  /// Asks for the events that a fetch request describes by its predicate, sort descriptors, limit and offset.
  ///
  /// - Parameter fetchRequest: one that ``fetchForEvents()`` has made.
  public class func fetchEvents(
    matchingFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSPersistentCloudKitContainerEventRequest {
    NSPersistentCloudKitContainerEventRequest(after: nil, fetch: fetchRequest)
  }

  /// A fetch request for events, to be given a predicate and sort descriptors.
  public class func fetchForEvents() -> NSFetchRequest<any NSFetchRequestResult> {
    NSFetchRequest(entityName: "NSPersistentCloudKitContainerEvent")
  }

  /// A request for events is a fetch.
  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// - Throws: an error for a predicate that asks for what events do not have.
  final func result(in coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentCloudKitContainerEventResult {
    var events = coordinator.cloudKitEvents.all
    if let stores = affectedStores.map({ Set($0.map(\.identifier)) }) {
      events = events.filter { stores.contains($0.storeIdentifier) }
    }
    if let begin { events = events.filter { $0.startDate > begin } }
    if let fetch { events = try found(by: fetch, in: events) }
    let result: Any = resultType == .countEvents ? events.count : events
    return NSPersistentCloudKitContainerEventResult(result: result, resultType: resultType)
  }

  private final func found(
    by fetch: NSFetchRequest<any NSFetchRequestResult>,
    in events: [NSPersistentCloudKitContainer.Event]
  ) throws -> [NSPersistentCloudKitContainer.Event] {
    let matches = try fetch.predicate.map { try PredicateEvaluator($0) }
    let matching = try events.filter { try matches?($0) ?? true }
    let sorted = try Sorter(fetch.sortDescriptors ?? []).sorted(matching)
    let rest = sorted.dropFirst(max(fetch.fetchOffset, 0))
    return Array(fetch.fetchLimit > 0 ? rest.prefix(fetch.fetchLimit) : rest)
  }

  open override var description: String {
    ObjectHead.text(
      self,
      [
        ("after", begin.map(DescriptionNode.text)), ("fetchRequest", fetch?.description),
        ("resultType", "\(resultType)"),
      ]
    )
  }
}

/// The result of a request for events.
open class NSPersistentCloudKitContainerEventResult: NSPersistentStoreResult {
  /// The form of a result.
  public enum ResultType: Int, Sendable {
    /// The events (`[NSPersistentCloudKitContainer.Event]`).
    case events = 0
    /// An `Int`: the number of events.
    case countEvents = 1
  }

  /// The result in the form of the request's `resultType`: the events, or an `Int`.
  public final let result: Any?

  /// The form of the result.
  public final let resultType: ResultType

  init(result: Any?, resultType: ResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }

  open override var description: String { describe("\(resultType)", result: result) }
}
