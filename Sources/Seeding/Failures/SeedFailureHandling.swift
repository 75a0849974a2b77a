/// The handling of a record that is wrong by itself.
public enum SeedFailureHandling: String, CaseIterable, Sendable {
  /// The run ends with the record's error, and the store is as it was. This is the default.
  case stop

  /// The record is left out, with what it would have changed, and so are those that refer to it;
  /// all others are taken in. The report counts them as failed and has their errors.
  ///
  /// Wrong by themselves are records with a key or value that does not fit the model, with a
  /// reference that leads nowhere, with the natural key of an earlier record or of several objects,
  /// and those whose objects the model's validation rules do not allow. All else ends the run as
  /// before: text that is broken, a wrong header, a uniqueness constraint that two objects break,
  /// what the store refuses. In the modes `replace` and `prune` every failure ends the run, since
  /// the object of a record that is left out would be deleted.
  case skipRecord = "skip-record"
}
