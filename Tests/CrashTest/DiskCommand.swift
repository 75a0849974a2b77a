import Foundation

/// Runs workloads on disks that fail or lose power, or runs one part of that work.
enum DiskCommand {
  /// Runs the command that the arguments name.
  ///
  /// - Returns: the exit status; `nil` if the arguments name another command.
  static func run(_ arguments: [String]) -> Int32? {
    guard let verb = arguments.first else { return nil }
    do {
      switch (verb, arguments.count) {
      case ("inject", 4...5), ("lose-power", 4...5):
        let (library, part) = (arguments[1], arguments.count == 5 ? arguments[4] : "")
        guard let count = Int(arguments[2]), let seed = UInt64(arguments[3]) else { return nil }
        let isWell =
          try verb == "inject"
          ? FaultInjection(library: library, count: count, part: part, seed: seed).run()
          : PowerLoss(library: library, count: count, part: part, seed: seed).run()
        return isWell ? 0 : 1
      case ("work", 4):
        guard let workload = Workloads.named(arguments[1]) else { return nil }
        let place = WorkPlace(
          folder: URL(fileURLWithPath: arguments[2]),
          inputs: URL(fileURLWithPath: arguments[3])
        )
        try workload.run(place) { say("did \($0)") }
        return 0
      case ("states", 1):
        StateProcess.answer()
        return 0
      default: return nil
      }
    } catch {
      say("refused \((error as? CrashStore.Wrong)?.description ?? CrashStore.words(error))")
      return 1
    }
  }
}
