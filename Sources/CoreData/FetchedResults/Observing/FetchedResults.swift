public import Foundation
public import Observation

/// Perennial's own: the objects that a request finds, in sections, which follow the changes of their
/// context and are observed by Swift's Observation.
///
/// ```swift
/// let results = FetchedResults(of: request, in: context)
/// print(results.objects.map(\.title))
///
/// results.predicate = NSPredicate(format: "isPinned == YES")
/// results.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
/// print(results.objects.count)  // 1
/// ```
///
/// The results follow what ``NSManagedObjectContext/updates(of:)`` follows: changes of the context, what it merges, and
/// what others save to stores with a history. They change when the context processes changes, on its queue.
///
/// Results belong to the context's queue: to the main actor for a main-queue context, or to an actor
/// whose executor is the context. They are not `Sendable`, so that the compiler keeps them there.
public final class FetchedResults<Object: NSManagedObject>: Observable {
  /// The objects of a section, in order.
  public struct Section: Identifiable {
    /// The value of the key path that names sections, as text; empty where there is no key path.
    public let name: String
    /// The objects.
    public let objects: [Object]

    /// The name, which no other section has.
    public var id: String { name }
  }

  private let registrar = ObservationRegistrar()
  private let request: NSFetchRequest<Object>
  private let results: FollowedResults
  private let history: HistoryFollower?
  private var failure: (any Error)?
  /// True during a fetch, which also finds the changes that the context reports meanwhile.
  private var isFetching = false

  /// Makes results and fetches them; ``error`` says why if that fails.
  ///
  /// - Parameters:
  ///   - request: a request for managed objects, which is copied. Without sort descriptors, new objects come last.
  ///   - context: the context that fetches, and whose changes are followed.
  ///   - sectionNameKeyPath: a key path whose value names the section of an object; `nil` for one
  ///     section of all. The first sort descriptor must bring the objects of a section together.
  public init(
    of request: NSFetchRequest<Object>,
    in context: NSManagedObjectContext,
    sectionNameKeyPath: String? = nil
  ) {
    context.checkConfinement("FetchedResults")
    self.request = request.copy(of: Object.self)
    results = FollowedResults(
      request: self.request,
      context: context,
      sectionNameKeyPath: sectionNameKeyPath,
      cacheName: nil
    )
    history = context.followHistory()
    results.follower = self
    fetch()
  }

  // MARK: - Results

  /// The objects of all sections, in the order of the request.
  public var objects: [Object] {
    results.context.checkConfinement()
    registrar.access(self, keyPath: \.objects)
    return results.objects(of: Object.self) ?? []
  }

  /// The sections, in the order of their objects; one where there is no key path for their names.
  public var sections: [Section] {
    results.context.checkConfinement()
    registrar.access(self, keyPath: \.sections)
    return results.sections(of: Object.self)?.map { Section(name: $0.name, objects: $0.objects) } ?? []
  }

  /// The error of the last fetch, or of the last change that could not be taken over; `nil` when the
  /// results are those of now.
  ///
  /// The objects stay as they were before the error. The next change of the context, or ``fetch()``, tries again.
  public var error: (any Error)? {
    results.context.checkConfinement()
    registrar.access(self, keyPath: \.error)
    return failure
  }

  // MARK: - The request

  /// The condition that objects fulfil. A new one is fetched at once.
  public var predicate: NSPredicate? {
    get {
      results.context.checkConfinement()
      registrar.access(self, keyPath: \.predicate)
      return request.predicate
    }
    set {
      results.context.checkConfinement()
      registrar.withMutation(of: self, keyPath: \.predicate) { request.predicate = newValue }
      fetch()
    }
  }

  /// The order of the objects. A new one is fetched at once.
  public var sortDescriptors: [NSSortDescriptor] {
    get {
      results.context.checkConfinement()
      registrar.access(self, keyPath: \.sortDescriptors)
      return request.sortDescriptors ?? []
    }
    set {
      results.context.checkConfinement()
      registrar.withMutation(of: self, keyPath: \.sortDescriptors) { request.sortDescriptors = newValue }
      fetch()
    }
  }

  /// Fetches the objects anew, which is needed after an error alone.
  ///
  /// ```swift
  /// if results.error != nil {
  ///   results.fetch()
  /// }
  /// ```
  public func fetch() {
    results.context.checkConfinement()
    isFetching = true
    willChangeResults()
    do {
      try CocoaError.ofPredicates { try fetchObjects() }
      set(nil)
    } catch {
      set(error)
    }
    didChangeResults()
    isFetching = false
  }

  private func fetchObjects() throws {
    if request.resultType != .managedObjectResultType {
      throw StoreFailure.operation(
        """
        FetchedResults have managed objects, and their request asks for another form; leave the request's resultType \
        at managedObjectResultType.
        """
      )
    }
    try results.performFetch()
    try checkClass()
  }

  private func checkClass() throws {
    if results.sections(of: Object.self) != nil { return }
    throw CocoaError.coreData(
      NSCoreDataError,
      message: """
        FetchedResults of \(Object.self) found objects of another class; make the request for that class, or set the \
        class of the entity \(request.entityName ?? "").
        """
    )
  }

  // MARK: - Observation

  private func willChangeResults() {
    registrar.willSet(self, keyPath: \.objects)
    registrar.willSet(self, keyPath: \.sections)
  }

  private func didChangeResults() {
    registrar.didSet(self, keyPath: \.objects)
    registrar.didSet(self, keyPath: \.sections)
  }

  private func set(_ error: (any Error)?) {
    if failure == nil, error == nil { return }
    registrar.withMutation(of: self, keyPath: \.error) { failure = error }
  }
}

extension FetchedResults: ResultsFollower {
  func contextTold(_ told: ToldChanges) {
    if isFetching { return }
    if failure != nil { return fetch() }
    var told = told
    // Objects stay the same when they get permanent IDs.
    told.identified = []
    if told.isEmpty { return }
    do {
      guard try results.takeOver(told, willChange: willChangeResults) != nil else { return }
      didChangeResults()
      try checkClass()
    } catch {
      set(error)
    }
  }
}

@available(*, unavailable, message: "results belong to their context's queue; use context.updates(of:transform:)")
extension FetchedResults: @unchecked Sendable {}
