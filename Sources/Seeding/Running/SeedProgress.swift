public import Foundation

/// Reports to a `Progress` and a `SeedingState` how much of a run is done, in bytes of its seeds,
/// and checks whether the `Progress` was cancelled. Used by one thread at a time.
///
/// For seeds that are planned as a whole, reading is the first half of their bytes and writing the
/// records is the second half.
final class SeedProgress {
  /// Records that are written between two looks at the progress.
  private static let recordsAtATime = 1000

  /// The smallest change of the fraction that a state receives.
  private static let leastChange = 0.005

  /// The cancellation of the run's task and of the progress.
  let cancellation: SeedCancellation
  private let progress: Progress?
  private let part: SeedingPart?
  /// The values that the state received last.
  private var told = (fraction: 0.0, phase: SeedPhase.reading)
  private var expected: Int64 = 0
  private var finished: Int64 = 0
  /// The bytes of the current part that are reported when its records are written; 0 if records are
  /// written while they are read.
  private var written: Int64 = 0

  init(progress: Progress?, part: SeedingPart? = nil) {
    self.progress = progress
    self.part = part
    cancellation = SeedCancellation(progress)
  }

  /// More is to be read: bytes that are read a second time count a second time.
  func expect(bytes: Int) {
    expected += Int64(bytes)
    progress?.totalUnitCount = max(expected, 1)
  }

  /// Reports the phase of the run.
  func tell(_ phase: SeedPhase) {
    progress?.setUserInfoObject(phase.rawValue, forKey: .seedPhase)
    tellState(told.fraction, phase: phase)
  }

  private func tellState(_ fraction: Double, phase: SeedPhase) {
    told = (fraction, phase)
    part?.report(fraction, phase: phase)
  }

  /// Checks that neither the progress nor the task of the run was cancelled.
  ///
  /// - Throws: A `SeedError` with the code `cancelled` if the progress or the run was cancelled.
  func check() throws { try cancellation.check() }

  /// Reports the number of bytes that were read of the current seeds.
  /// - Parameter isWhole: True when their records are written when all have been read.
  func reportRead(_ bytes: Int, isWhole: Bool = false) throws {
    written = isWhole ? Int64(bytes - bytes / 2) : 0
    complete(finished + Int64(bytes) - written)
    try check()
  }

  /// Reports that a part of the records that were read as a whole has been written.
  func reportWriting(_ count: Int, of total: Int) throws {
    guard count % Self.recordsAtATime == 0 else { return }
    complete(finished - written + written * Int64(count) / Int64(max(total, 1)))
    try check()
  }

  /// Sets the count of completed bytes, which stays short of the whole: a run that is not kept yet has not ended.
  private func complete(_ bytes: Int64) {
    let bytes = max(0, min(bytes, expected - 1))
    progress?.completedUnitCount = bytes
    let fraction = Double(bytes) / Double(max(expected, 1))
    if abs(fraction - told.fraction) >= Self.leastChange { tellState(fraction, phase: told.phase) }
  }

  func finishPart(_ bytes: Int) { finished += Int64(bytes) }

  /// Reports that all is done, also if there was nothing to do.
  func finish() {
    guard let progress else { return }
    if progress.totalUnitCount <= 0 { progress.totalUnitCount = 1 }
    progress.completedUnitCount = progress.totalUnitCount
  }
}

/// The phase of a seeding run, as its `Progress` has it under `ProgressUserInfoKey.seedPhase`.
public enum SeedPhase: String, Sendable {
  /// The seeds are found, fetched, read and checked.
  case reading = "reading seeds"

  /// Another writer of the store has to finish first.
  case waiting = "waiting for other writers of the store"

  /// Objects are created and changed. Large seeds are read at the same time.
  case writing = "writing objects"

  /// The written changes are saved.
  case saving = "saving"
}

extension ProgressUserInfoKey {
  /// The key for the phase of a seeding run: the raw value of a `SeedPhase`.
  public static let seedPhase = ProgressUserInfoKey(rawValue: "PerennialSeedPhase")
}
