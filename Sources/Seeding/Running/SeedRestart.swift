/// The reason for which an attempt at a run is abandoned and another one begins.
///
/// The code that writes throws it, because only an error has a transaction of the store rolled back. `SeedAttempt.outcome(of:)`
/// returns it to the run, which decides what the next attempt does differently.
enum SeedRestart: Error {
  /// A seed has content that cannot be imported in pieces.
  case asWhole
  /// A label or a link is missing that may be in seeds which the store has already.
  case withUnchangedSeeds
  /// These records have errors of their own, and are left out.
  case without(RecordFailures.Found)
}
