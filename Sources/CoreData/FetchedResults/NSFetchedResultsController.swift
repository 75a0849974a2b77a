public import Foundation

/// The objects that a request finds, in sections, kept up to date as its context changes.
///
/// ```swift
/// let request = NSFetchRequest<Note>(entityName: "Note")
/// request.sortDescriptors = ["author.name", "title"].map { .init(key: $0, ascending: true) }
/// let controller = NSFetchedResultsController(
///   fetchRequest: request,
///   managedObjectContext: context,
///   sectionNameKeyPath: "author.name",
///   cacheName: nil
/// )
/// try controller.performFetch()
/// for section in controller.sections ?? [] {
///   print(section.name, section.numberOfObjects)
/// }
/// ```
///
/// If a controller has a delegate when its context reports changes, it applies them to the results and
/// notifies the delegate. Without a delegate, it keeps what `performFetch` found. It follows only the
/// changes that the context reports. If a predicate, a sort descriptor or the section's name reaches
/// objects through relationships, changes of those objects are not followed. The controller is used on
/// the queue of its context. Apple's documentation of `NSFetchedResultsController`.
///
/// A request with the result type `.dictionaryResultType` gives dictionaries, in sections by their values. No change is
/// followed then, since a change of one object may concern any of them: call ``performFetch()`` again.
open class NSFetchedResultsController<ResultType>: NSObject {
  final let results: FollowedResults
  /// The results as they were last asked for, and which state of them that was, where they are not of one class.
  private final var typed: (version: Int, objects: [ResultType])?
  /// The controller that the delegate is given, where this one is of another type.
  private final var erased: NSFetchedResultsController<any NSFetchRequestResult>?

  /// The request, which must have sort descriptors, be it an empty list of them, and find objects or dictionaries.
  /// Changes of it count from the next ``performFetch()`` on.
  public final let fetchRequest: NSFetchRequest<ResultType>

  /// Makes a controller, which has no results before ``performFetch()``.
  ///
  /// - Parameters:
  ///   - fetchRequest: the request whose results are followed. It has sort descriptors; one without stops the program.
  ///   - context: the context that fetches, and whose changes are followed.
  ///   - sectionNameKeyPath: a key path whose value names the section of an object; `nil` for one
  ///     section of all. The first sort descriptor must bring the objects of a section together.
  ///   - name: the name under which the sections are remembered for the next controller like it; `nil` for none.
  public init(
    fetchRequest: NSFetchRequest<ResultType>,
    managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?,
    cacheName name: String?
  ) {
    if fetchRequest.sortDescriptors == nil {
      fatalError("an NSFetchedResultsController needs a fetch request with sort descriptors; set its sortDescriptors.")
    }
    self.fetchRequest = fetchRequest
    results = FollowedResults(
      request: fetchRequest,
      context: context,
      sectionNameKeyPath: sectionNameKeyPath,
      cacheName: name
    )
    super.init()
    results.titleOfController = { [weak self] name in self?.sectionIndexTitle(forSectionName: name) }
    results.controllerForDelegate = { [weak self] in self?.controllerForDelegate }
  }

  /// The same results for another type.
  fileprivate init<Other>(_ other: NSFetchedResultsController<Other>) {
    results = other.results
    fetchRequest = NSFetchRequest<ResultType>()
    fetchRequest.copySettings(from: other.fetchRequest)
    super.init()
  }

  private final var controllerForDelegate: NSFetchedResultsController<any NSFetchRequestResult> {
    if let same = self as? NSFetchedResultsController<any NSFetchRequestResult> { return same }
    if let erased { return erased }
    let controller = NSFetchedResultsController<any NSFetchRequestResult>(self)
    erased = controller
    return controller
  }

  /// The context whose objects are fetched.
  open var managedObjectContext: NSManagedObjectContext { results.context }

  /// The key path whose value names the section of an object.
  open var sectionNameKeyPath: String? { results.sectionNameKeyPath }

  /// The name under which the sections are remembered.
  open var cacheName: String? { results.cacheName }

  /// The delegate, which is notified of changes. Without one, the results stay as ``performFetch()`` found them.
  ///
  /// ```swift
  /// let list = NoteList()
  /// controller.delegate = list
  /// try controller.performFetch()
  ///
  /// Note(context: context).title = "Mend the fence"
  /// context.processPendingChanges()
  /// print(list.lines)  // ["insert Mend the fence"]
  /// ```
  open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { results.delegate }
    set { results.delegate = newValue }
  }

  /// Forgets the sections that are remembered under a name, or all.
  open class func deleteCache(withName name: String?) { FetchedResultsCache.delete(name) }

  // MARK: - Fetching

  /// Fetches the objects and puts them into sections.
  ///
  /// ```swift
  /// try controller.performFetch()
  /// for note in controller.fetchedObjects ?? [] {
  ///   print(note.title)
  /// }
  /// ```
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when the request cannot be carried out, or when
  ///   objects of one section do not stand together.
  open func performFetch() throws {
    results.context.checkConfinement()
    try CocoaError.ofPredicates { try results.performFetch() }
  }

  /// The objects of all sections; `nil` before ``performFetch()``.
  open var fetchedObjects: [ResultType]? {
    results.context.checkConfinement()
    if let objects = results.objects(of: ResultType.self) { return objects }
    if let typed, typed.version == results.version { return typed.objects }
    guard let cast = results.results?.map(cast) else { return nil }
    typed = (results.version, cast)
    return cast
  }

  /// The object at a place, which must be one of the results.
  ///
  /// ```swift
  /// let second = controller.object(at: IndexPath(item: 1, section: 0))
  /// print(second.title)  // Prune the apple tree
  /// ```
  open func object(at indexPath: IndexPath) -> ResultType {
    results.context.checkConfinement()
    return cast(results.result(at: indexPath))
  }

  /// The index path of an object; `nil` when the results do not contain it.
  ///
  /// ```swift
  /// if let place = controller.indexPath(forObject: note) {
  ///   print(place.section, place.item)  // 0 1
  /// }
  /// ```
  open func indexPath(forObject object: ResultType) -> IndexPath? {
    results.context.checkConfinement()
    return results.indexPath(of: object)
  }

  private final func cast(_ object: Any) -> ResultType {
    if let object = object as? ResultType { return object }
    fatalError(
      """
      an NSFetchedResultsController of \(ResultType.self) found a \(Swift.type(of: object)); make it for that class, or \
      set the entity's class.
      """
    )
  }

  // MARK: - Sections

  /// The sections; `nil` before ``performFetch()``.
  open var sections: [any NSFetchedResultsSectionInfo]? {
    results.context.checkConfinement()
    return results.sectionInfos
  }

  /// The titles for an index of the sections, each once.
  open var sectionIndexTitles: [String] {
    results.context.checkConfinement()
    return results.indexTitles
  }

  /// The title of a section: the first letter of its name in upper case; for subclasses to override.
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    sectionName.first.map { String($0).uppercased() }
  }

  /// The section that a title of the index leads to.
  ///
  /// - Parameters:
  ///   - title: one of ``sectionIndexTitles``.
  ///   - sectionIndex: the title's place among them.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    results.context.checkConfinement()
    return results.section(forIndexTitle: title, at: sectionIndex)
  }

  // MARK: - Identity

  /// Controllers are equal that have the same results: the one that was made, and the one that its delegate is given.
  open override func isEqual(_ object: Any?) -> Bool { (object as? any FetchedResultsHolder)?.results === results }

  open override var hash: Int { ObjectIdentifier(results).hashValue }

  open override var description: String { ObjectHead.text(self, [("fetchRequest", fetchRequest.description)]) }
}

/// A controller, whatever the type of its results.
private protocol FetchedResultsHolder {
  var results: FollowedResults { get }
}

extension NSFetchedResultsController: FetchedResultsHolder {}
