import Foundation
import Seeding
import Synchronization

/// Shows progress on standard error: as a bar that is redrawn on a terminal, and as occasional lines elsewhere.
///
/// The class is `@unchecked Sendable` because any thread may use a dispatch source and a `Progress`, although
/// not every platform declares their types so.
final class ProgressDisplay: @unchecked Sendable {
  private struct State {
    var hasBar = false
  }

  private let progress: Progress
  private let noun: String
  private let isTerminal: Bool
  private let beginning: ContinuousClock.Instant
  private let timer: any DispatchSourceTimer
  private let state = Mutex(State())

  /// The interval is short enough to look smooth and long enough to cost nothing. A log gets few lines.
  private static let barInterval = DispatchTimeInterval.milliseconds(100)
  private static let lineInterval = DispatchTimeInterval.seconds(5)

  /// - Parameter noun: The name of the counted things, such as `records`.
  init(_ progress: Progress, of noun: String, isTerminal: Bool) {
    self.progress = progress
    self.noun = noun
    self.isTerminal = isTerminal
    beginning = .now
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "progress"))
  }

  func start() {
    let interval = isTerminal ? Self.barInterval : Self.lineInterval
    timer.setEventHandler { [self] in draw() }
    timer.schedule(deadline: .now() + interval, repeating: interval)
    timer.resume()
  }

  /// Removes the bar, so that the next output begins in its line.
  func stop() {
    timer.cancel()
    state.withLock { state in
      guard state.hasBar else { return }
      Self.write("\r\u{1B}[K")
      state.hasBar = false
    }
  }

  private func draw() {
    state.withLock { state in
      guard !timer.isCancelled, progress.totalUnitCount > 0 else { return }
      let phase = progress.userInfo[.seedPhase] as? String
      let text = ProgressText(
        completed: progress.completedUnitCount,
        total: progress.totalUnitCount,
        noun: noun,
        elapsed: ContinuousClock.now - beginning,
        phase: phase,
        isWaiting: phase == SeedPhase.waiting.rawValue
      )
      if isTerminal {
        Self.write("\r\(text.bar(width: Self.terminalWidth))\u{1B}[K")
        state.hasBar = true
      } else {
        Self.write(text.line + "\n")
      }
    }
  }

  private static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

  private static var terminalWidth: Int { Terminal.columns(of: STDERR_FILENO) ?? 80 }
}
