import CoreData

/// All records of a run, checked against the model, in the order in which they are to be inserted.
struct PlannedRecords {
  /// Records of one entity stand together, in the order of their files; a destination stands before
  /// what refers to it, where relationships make no circle.
  let records: [PlannedRecord]

  /// The entities of which a seed has a list without records.
  let empty: [NSEntityDescription]

  /// The model's entities, by name.
  let entities: [String: NSEntityDescription]

  /// The natural keys of the model's entities, with those that headers declare.
  let naturalKeys: NaturalKeys
}
