import Foundation
import Predicates

/// The results of a request, in sections, which follow the changes of a context: what a fetched results controller, a
/// ``FetchedResults`` and the updates of a request have in common.
// Used on the queue of its context, where the notifications are posted that it follows.
final class FollowedResults: ContextResults, @unchecked Sendable {
  let request: any AnyFetchRequest
  let context: NSManagedObjectContext
  let sectionNameKeyPath: String?
  let cacheName: String?

  weak var delegate: (any NSFetchedResultsControllerDelegate)? { didSet { delegateAcceptsDifferences = true } }
  /// The owner of results that are not a controller's, which decides when changes are taken over.
  weak var follower: (any ResultsFollower)?
  /// True when the delegate implements the method for differences, as far as known.
  var delegateAcceptsDifferences = true
  /// Answers the title of a section by the controller's own means.
  var titleOfController: (String) -> String? = { _ in nil }
  /// Answers the controller that the delegate is given.
  var controllerForDelegate: () -> NSFetchedResultsController<any NSFetchRequestResult>? = { nil }

  /// `nil` before the first fetch, and where dictionaries were fetched.
  private(set) var sections: [FetchedSection]?
  /// The sections of dictionaries, which are not followed; `nil` where objects were fetched.
  private(set) var dictionarySections: [ResultSection<NSDictionary>]?
  /// Counts the changes of the sections.
  private(set) var version = 0
  private var allObjects: (version: Int, objects: [NSManagedObject])?
  /// The class that all results were found to be of, and the test of others.
  private var common: (type: ObjectIdentifier, includes: (NSManagedObject) -> Bool)?
  private var allInfos: (version: Int, infos: [FetchedSectionInfo])?
  private var tracker: FetchedResultsTracker?
  private var observations: [any NSObjectProtocol] = []

  init(
    request: any AnyFetchRequest,
    context: NSManagedObjectContext,
    sectionNameKeyPath: String?,
    cacheName: String?
  ) {
    self.request = request
    self.context = context
    self.sectionNameKeyPath = sectionNameKeyPath
    self.cacheName = cacheName
  }

  deinit {
    for observation in observations { NotificationCenter.default.removeObserver(observation) }
  }

  // MARK: - Fetching

  func performFetch() throws {
    let sectioning = try FetchedSectioning(request, keyPath: sectionNameKeyPath, cacheName: cacheName)
    switch request.resultType {
    case .managedObjectResultType:
      let found = try sectioning.sections(of: try context.fetchObjects(request))
      let tracker = try FetchedResultsTracker(request, context: context, sectioning: sectioning)
      (sections, dictionarySections) = (found, nil)
      if isFollowed { tracker.prepare(found) }
      self.tracker = tracker
      observe()
    case .dictionaryResultType:
      dictionarySections = try sectioning.sections(of: try context.fetchDictionaries(request))
      (sections, tracker) = (nil, nil)
    default:
      throw StoreFailure.operation(
        """
        an NSFetchedResultsController has managed objects or dictionaries, and its request asks for another form; set \
        the request's resultType to one of the two.
        """
      )
    }
    version += 1
    common = nil
  }

  // MARK: - Following the context

  private func observe() {
    if !observations.isEmpty { return }
    context.addFollower(self)
    observations = [
      NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange,
        object: context,
        queue: nil
      ) { [weak self] notification in
        self?.follow(notification.userInfo ?? [:])
      },
      NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave,
        object: context,
        queue: nil
      ) { [weak self] notification in
        self?.followSave(notification.userInfo ?? [:])
      },
    ]
  }

  /// True when changes of the context are taken over.
  private var isFollowed: Bool { delegate != nil || follower != nil }

  private func follow(_ userInfo: [AnyHashable: Any]) {
    var told = ToldChanges(changed: userInfo.values.compactMap { $0 as? Set<NSManagedObject> })
    told.isEverything = userInfo[NSInvalidatedAllObjectsKey] != nil
    follow(told)
  }

  /// Takes over which of the saved objects belong to the results by the rules of their stores.
  private func followSave(_ userInfo: [AnyHashable: Any]) {
    guard let tracker else { return }
    var told = ToldChanges()
    let inserted = userInfo[NSInsertedObjectsKey] as? Set<NSManagedObject>
    if let inserted, follower != nil { told.identified.append(inserted) }
    if tracker.followsSaves {
      let updated = userInfo[NSUpdatedObjectsKey] as? Set<NSManagedObject>
      told.saved = [inserted, updated].compactMap(\.self)
    }
    if !told.isEmpty { follow(told) }
  }

  /// Called when new objects of the context have got permanent IDs.
  func idsWereAssigned() {
    if isFollowed, let sections { tracker?.idsWereAssigned(sections) }
  }

  /// Called when the store has changed, and it is not known which objects: the results are to be fetched anew.
  func fallBehind() {
    var told = ToldChanges()
    told.isEverything = true
    follower?.contextTold(told)
  }

  /// Returns true when a change of an object of the entity may change the results.
  func follows(_ entity: NSEntityDescription) -> Bool { isFollowed && tracker?.isOfEntity(entity) == true }

  /// Applies changes that the context reports and notifies the delegate, or leaves both to the follower.
  private func follow(_ told: ToldChanges) {
    if let follower { return follower.contextTold(told) }
    guard let delegate else {
      tracker?.isBehind = true
      return
    }
    let (plan, hasFailed) = context.noticingReadFailures { Result { try takeOver(told) } }
    switch plan {
    case .success(let plan):
      if let plan { tell(delegate, changes: plan.changes) }
    case .failure(let error):
      // The notification cannot throw. The context therefore records the error, and the next save throws it. Errors of
      // the context's own reads are recorded already.
      if !hasFailed { context.recordReadFailure(error) }
    }
  }

  /// Changes the results by what the context told.
  ///
  /// - Parameter willChange: called before the results change, if they do.
  /// - Returns: what was done to the sections; `nil` for nothing.
  /// - Throws: the reason for which an object could not be read, or a predicate or an order not be evaluated. The
  ///   results stay as they are then, and the next change has them fetched anew.
  func takeOver(_ told: ToldChanges, willChange: () -> Void = {}) throws -> FetchedPlan? {
    guard let tracker, sections != nil else { return nil }
    do {
      if told.isEverything, follower != nil { tracker.isBehind = true }
      let (plan, hasFailed) = try context.noticingReadFailures {
        try tracker.plan(told, sections: sections ?? [])
      }
      // Objects that could not be read must not leave the results.
      if hasFailed { throw context.readingFailure ?? Self.unreadable }
      guard let plan else { return nil }
      willChange()
      apply(plan)
      return plan
    } catch {
      tracker.isBehind = true
      tracker.forgetMembers()
      throw error
    }
  }

  private func apply(_ plan: FetchedPlan) {
    // The arrays in it would be copied before they are changed.
    allInfos = nil
    sections?.apply(plan)
    version += 1
    if let common, !plan.changes.insertions.allSatisfy({ common.includes($0.object) }) { self.common = nil }
  }

  private static var unreadable: NSError {
    CocoaError.coreData(
      NSCoreDataError,
      message:
        "objects of observed results could not be read; the log has the reason, and the next change fetches them anew."
    )
  }

  // MARK: - Looking things up

  var objects: [NSManagedObject]? {
    guard let sections else { return nil }
    if sections.count == 1 { return sections[0].objects }
    if let allObjects, allObjects.version == version { return allObjects.objects }
    let objects = sections.flatMap(\.objects)
    allObjects = (version, objects)
    return objects
  }

  /// The results as objects of a class; `nil` where the type is not a class of managed objects, or an object has
  /// another class. Each object is checked once, even if more objects are added later.
  func objects<Result>(of type: Result.Type) -> [Result]? {
    guard areOfOneClass(type) else { return nil }
    return objects?.assumingClass(type)
  }

  /// The sections with objects of a class; `nil` where one of the objects is of another.
  func sections<Result>(of type: Result.Type) -> [ResultSection<Result>]? {
    guard areOfOneClass(type) else { return nil }
    return sections?.map { ResultSection(name: $0.name, objects: $0.objects.assumingClass(type)) }
  }

  private func areOfOneClass<Result>(_ type: Result.Type) -> Bool {
    if common?.type == ObjectIdentifier(type) { return true }
    guard let sections, sections.allSatisfy({ $0.objects.areOfOneClass(type) }) else { return false }
    common = (ObjectIdentifier(type), { $0 is Result })
    return true
  }

  /// All results: objects, or dictionaries.
  var results: [Any]? {
    if let objects { return objects }
    return dictionarySections?.flatMap(\.objects)
  }

  func result(at indexPath: IndexPath) -> Any {
    if let dictionarySections { return Self.result(at: indexPath, sections: dictionarySections) }
    return Self.result(at: indexPath, sections: sections)
  }

  private static func result<Element>(at indexPath: IndexPath, sections: [ResultSection<Element>]?)
    -> Element
  {
    guard indexPath.count == 2, let sections, sections.indices.contains(indexPath.section),
      sections[indexPath.section].objects.indices.contains(indexPath.item)
    else {
      fatalError(
        """
        no object at the index path \(indexPath): the results have \
        \(sections.map { "\($0.count) sections" } ?? "not been fetched; call performFetch()").
        """
      )
    }
    return sections[indexPath.section].objects[indexPath.item]
  }

  func indexPath(of result: Any) -> IndexPath? {
    if let object = result as? NSManagedObject {
      guard let sections, let tracker else { return nil }
      return tracker.position(of: object, in: sections)?.indexPath
    }
    guard let dictionary = result as? NSDictionary, let dictionarySections else { return nil }
    for (section, found) in dictionarySections.enumerated() {
      // Another one may be equal.
      let item = found.objects.firstIndex { $0 === dictionary } ?? found.objects.firstIndex(of: dictionary)
      if let item { return IndexPath(item: item, section: section) }
    }
    return nil
  }

  // MARK: - Titles

  /// The sections as others see them: the same objects until something changes.
  var sectionInfos: [FetchedSectionInfo]? {
    if let allInfos, allInfos.version == version { return allInfos.infos }
    guard let all = sections.map(infos) ?? dictionarySections.map(infos) else { return nil }
    allInfos = (version, all)
    return all
  }

  private func infos<Element>(_ sections: [ResultSection<Element>]) -> [FetchedSectionInfo] {
    sections.map { [weak self] section in FetchedSectionInfo(section) { self?.indexTitle($0) } }
  }

  private var sectionNames: [String] { sections?.map(\.name) ?? dictionarySections?.map(\.name) ?? [] }

  var indexTitles: [String] {
    var seen: Set<String> = []
    return sectionNames.compactMap(indexTitle).filter { seen.insert($0).inserted }
  }

  func section(forIndexTitle title: String, at index: Int) -> Int {
    if let section = sectionNames.firstIndex(where: { indexTitle($0) == title }) { return section }
    fatalError("no section has the index title \"\(title)\" (number \(index)); ask for one of sectionIndexTitles.")
  }

  func indexTitle(_ name: String) -> String? {
    guard let delegate, let controller = controllerForDelegate() else { return titleOfController(name) }
    return delegate.controller(controller, sectionIndexTitleForSectionName: name)
  }
}

extension FetchedPosition {
  var indexPath: IndexPath { IndexPath(item: item, section: section) }
}

extension NSManagedObjectContext {
  /// Has the values of faults fetched together that are all about to be read.
  final func awaitTogether(_ objects: [NSManagedObject], of entity: NSEntityDescription) {
    let faults = objects.filter(\.canWaitForBatch)
    guard faults.count > 1 else { return }
    assignBatches(faults, of: entity, size: Self.faultsAwaitedTogether, keyPaths: [])
  }

  private static let faultsAwaitedTogether = 500
}
