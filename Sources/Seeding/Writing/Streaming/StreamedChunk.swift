#if !canImport(Darwin)
  import CoreData

  /// The part of a seed's records that a pass over them writes.
  enum StreamedStage {
    /// Records whose references lead to what is there by then. The others are parked.
    case whatCanBe
    /// All records that were parked: a reference that leads nowhere is an error now.
    case allThatWait
    /// The references that were put off, of records that have been written without them.
    case lateReferences
  }

  /// A chunk of records that goes in with one save.
  struct StreamedChunk {
    /// The records that are written.
    var items: [StreamedItem] = []
    /// The object of each.
    var objects: [NSManagedObject] = []
    /// The places of records whose objects were as the record says so far.
    var unchanged: Set<Int> = []
    /// The records whose objects are not touched, or not made.
    var left: [StreamedItem] = []
    /// The places of the records in the chunk as it was read; -1 for those that are not written.
    /// Nothing that is written leads to what is not.
    var places: [Int] = []
    /// The records that have taken objects out of relationships, without which these cannot be.
    var removers: [ObjectIdentifier: StreamedItem] = [:]
    /// Those of these objects that are deleted in the end, unless another owner takes them.
    var leftOut: Set<ObjectIdentifier> = []
    var conflicts: [SeedReport.Conflict] = []

    /// The record that an object was made from.
    func item(of object: NSManagedObject) -> StreamedItem? {
      objects.firstIndex { $0 === object }.map { items[$0] }
    }
  }

  /// The count of what has become of the records of a run so far.
  struct StreamedTally {
    var counts: [String: SeedReport.Counts] = [:]
    /// Records that wait for others.
    var parked = RecordMarks()
    /// Records whose references have to be set when all records are there.
    var late = RecordMarks()
    /// Those of them whose objects the run has made.
    var lateAndNew = RecordMarks()
    /// Those of them whose objects were as the record says so far.
    var lateAndUnchanged = RecordMarks()

    mutating func countAsUpdated(_ item: StreamedItem) {
      counts[item.record.shape.name, default: .init()].unchanged -= 1
      counts[item.record.shape.name, default: .init()].updated += 1
      lateAndUnchanged.remove(item.number)
    }
  }
#endif
