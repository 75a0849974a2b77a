#if !canImport(Darwin)
  import CoreData

  /// The part of a seed's records that a pass over them writes.
  enum StreamedStage {
    /// The records whose destinations exist by then. The others are parked.
    case whatCanBe
    /// All parked records: a reference without a destination is an error now.
    case allThatWait
    /// The postponed references of records that have been written without them.
    case lateReferences
  }

  /// A chunk of records that is written with one save.
  struct StreamedChunk {
    /// The records that are written.
    var items: [StreamedItem] = []
    /// The object of each.
    var objects: [NSManagedObject] = []
    /// The outcome of each so far.
    var outcomes: [RecordOutcome] = []
    /// The records whose objects are not changed, or not created.
    var left: [StreamedItem] = []
    /// The positions of the records in the chunk as it was read; -1 for records that are not
    /// written. No written record refers to one that is not.
    var places: [Int] = []
    /// The records that have removed objects from relationships that these objects require.
    var removers: [ObjectIdentifier: StreamedItem] = [:]
    /// Those of these objects that are deleted in the end, unless another owner takes them.
    var leftOut: Set<ObjectIdentifier> = []
    var conflicts: [SeedReport.Conflict] = []

    /// The record that created an object.
    func item(of object: NSManagedObject) -> StreamedItem? {
      objects.firstIndex { $0 === object }.map { items[$0] }
    }
  }

  /// The counts of the outcomes of a run's records so far.
  struct StreamedTally {
    var counts: [String: SeedReport.Counts] = [:]
    /// Records that wait for other records.
    var parked = RecordMarks()
    /// Records whose references have to be set when all records are there.
    var late = RecordMarks()
    /// Those of them whose objects the run has created.
    var lateAndNew = RecordMarks()
    /// Those of them whose objects have equalled the records so far.
    var lateAndUnchanged = RecordMarks()

    mutating func countAsUpdated(_ item: StreamedItem) {
      counts.count(.unchanged, of: item.record.shape.name, by: -1)
      counts.count(.updated, of: item.record.shape.name)
      lateAndUnchanged.remove(item.number)
    }
  }
#endif
