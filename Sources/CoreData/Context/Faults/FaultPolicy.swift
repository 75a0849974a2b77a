/// The reaction of a context when objects of one fetch fire faults of the same relationship one by one.
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
  /// swift-log logs a warning with the label `CoreData` when this number of faults was fired, and again at ten times
  /// the number.
  ///
  /// A threshold below 1 is treated as 1.
  case report(threshold: Int)
  /// The second fault is not fired. It is a failure to read, see ``ReadFailureHandling``: the property is nil or empty,
  /// the error is logged, and the next save or ``NSManagedObjectContext/throwReadFailure()`` throws it.
  case refuse
}
