/// What a context does when objects of one fetch fire faults of the same relationship one by one.
///
/// A loop over 100 notes that reads `note.author?.name` asks the store once for the notes and then up to 100 times for
/// an author: N+1 statements. A request with `relationshipKeyPathsForPrefetching = ["author"]` needs two.
///
/// ```swift
/// context.faultPolicy = .report(threshold: 2)
/// for note in try context.fetch(NSFetchRequest<Note>(entityName: "Note")) {
///   print(note.author?.name ?? "nobody")
/// }
/// ```
public enum FaultPolicy: Hashable, Sendable {
  /// Nothing is counted.
  case ignore
  /// A warning is logged by swift-log with the label `CoreData` when so many faults were fired, and again at ten times
  /// the number.
  ///
  /// A threshold below 1 counts as 1.
  case report(threshold: Int)
  /// The second fault is not fired. It is a failure to read, see ``ReadFailureHandling``: the property is nil or empty,
  /// the error is logged, and the next save or ``NSManagedObjectContext/throwReadFailure()`` throws it.
  case refuse
}

extension NSManagedObjectContext {
  /// What the context does when objects of one fetch fire faults of the same relationship one by one;
  /// ``FaultPolicy/ignore`` unless set.
  ///
  /// A new context has the policy of its parent, or of ``NSPersistentContainer/faultPolicy``. Fetches from now on count.
  public final var faultPolicy: FaultPolicy {
    get { faultWatch?.policy ?? .ignore }
    set {
      if newValue != faultPolicy { faultWatch = FaultWatch(newValue) }
    }
  }
}

extension NSPersistentContainer {
  /// What the contexts of the container do when objects of one fetch fire faults of the same relationship one by one;
  /// ``FaultPolicy/ignore`` unless set.
  ///
  /// The view context and contexts that are made from now on have this policy, unless they are given another one. Set it
  /// before the view context is used.
  public final var faultPolicy: FaultPolicy {
    get { persistentStoreCoordinator.commonFaultPolicy.policy }
    set {
      persistentStoreCoordinator.commonFaultPolicy.policy = newValue
      viewContext.faultPolicy = newValue
    }
  }
}
