import Dispatch
import Foundation
import Synchronization
import TestSupport

/// Records the disk changes of workloads, rebuilds the states that a power failure may leave, and inspects them.
struct PowerLoss {
  /// The library that records.
  let library: String
  /// The number of states that are inspected.
  let count: Int
  /// A substring of the names of the workloads; empty for all workloads.
  let part: String
  let seed: UInt64

  /// The results for a workload's states.
  private struct Tally {
    let changes: Int
    var states = 0
    var older = 0
    var problems: [String] = []
  }

  private static let workers = 2

  /// - Returns: true if no state had a problem.
  func run() throws -> Bool {
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("power-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: base) }
    let workloads = Workloads.powerLosses.filter { part.isEmpty || $0.name.contains(part) }
    let next = Atomic(0)
    let states = Atomic(0)
    let problems = Mutex<[String]>([])
    say("states of \(workloads.count) workloads, with the seed \(seed)")
    DispatchQueue.concurrentPerform(iterations: Self.workers) { _ in
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < workloads.count else { return }
        let workload = workloads[number]
        let share = count / workloads.count + (number < count % workloads.count ? 1 : 0)
        do {
          let tally = try lose(workload, states: min(share, workload.mostRuns ?? share), in: base)
          states.wrappingAdd(tally.states, ordering: .relaxed)
          problems.withLock { $0 += tally.problems }
          say(
            """
            \(workload.name): \(tally.states) states of \(tally.changes) changes, \(tally.older) of them without \
            what was acknowledged last; \(tally.problems.count) are wrong
            """
          )
        } catch {
          say("\(workload.name): \(error)")
          problems.withLock { $0.append("\(workload.name): \(error)") }
        }
      }
    }
    let wrong = problems.withLock { $0.count }
    let verdict = wrong == 0 ? "each was whole, and had what it should" : "\(wrong) are wrong"
    say("\(states.load(ordering: .relaxed)) states: \(verdict)")
    return wrong == 0
  }

  private func lose(_ workload: any Workload, states: Int, in base: URL) throws -> Tally {
    let folders = try WorkFolders(workload, in: base, hasNeighbours: false)
    let place = try folders.copy("recorded")
    var image = try DiskImage(place.folder, store: place.store.lastPathComponent)
    let changes = try record(folders, place)
    try check(image, changes, place)
    let looking = StateProcess()
    defer { looking.end() }
    var random = SplitMix(seed: seed)
    var tally = Tally(changes: changes.count)
    var done = 0
    for cut in cuts(changes, states, &random) {
      while done < cut {
        try image.apply(changes[done])
        done += 1
      }
      tally.states += 1
      let lost = WorkPlace(folder: place.folder.appendingPathExtension("lost"), inputs: place.inputs)
      try image.writeAfterPowerLoss(to: lost.folder, &random)
      let least = workload.durability == .acknowledged ? image.acknowledged : image.synchronised
      var problem: String?
      do {
        let state = try looking.state(of: workload, lost)
        if state < image.acknowledged { tally.older += 1 }
        if state < least || state > image.acknowledged + 1 {
          problem = "\(image.acknowledged) steps were acknowledged, \(least) must be there, and \(state) are"
        }
      } catch {
        problem = "\(error)"
      }
      if let problem {
        let last = cut > 0 ? "\(changes[cut - 1].kind) \(changes[cut - 1].path)" : "nothing"
        let line = "\(workload.name): state \(tally.states), after change \(cut) (\(last)): \(problem)"
        say(line)
        tally.problems.append(line)
      }
    }
    return tally
  }

  /// Runs the workload on a working disk, and returns the changes to the disk.
  private func record(_ folders: WorkFolders, _ place: WorkPlace) throws -> [DiskChange] {
    let log = place.folder.appendingPathExtension("log")
    let ended = try folders.process(
      place,
      environment: [
        "LD_PRELOAD": library, "FAULT_ROOT": place.folder.path, "FAULT_LOG": log.path,
      ]
    ).run()
    let steps = folders.workload.steps
    guard folders.acknowledged(ended, place) == steps else {
      throw CrashStore.Wrong(description: "it fails on a disk that works: \(ended.status) \(ended.text)")
    }
    var changes = try DiskChange.all(in: log)
    if folders.workload.arguments(place) != nil {
      // A command acknowledges its work by exiting.
      changes.append(
        DiskChange(kind: .said, node: 0, path: "", other: "", offset: 0, bytes: Data("did \(steps)\n".utf8))
      )
    }
    return changes
  }

  /// Checks that the recorded changes lead to the files on the disk. If not, some changes were not recorded.
  private func check(_ image: DiskImage, _ changes: [DiskChange], _ place: WorkPlace) throws {
    var image = image
    for change in changes { try image.apply(change) }
    let files = try FolderContents(place.folder).files.filter { !$0.key.hasSuffix("-shm") }
    let differing = Set(files.keys).union(image.current.keys).filter { files[$0] != image.current[$0] }
    guard differing.isEmpty else {
      throw CrashStore.Wrong(description: "changes of \(differing.sorted()) were not recorded")
    }
  }

  /// The numbers of changes after which the power fails. Half of them are next to a synchronisation.
  private func cuts(_ changes: [DiskChange], _ count: Int, _ random: inout SplitMix) -> [Int] {
    let synchronisations = changes.indices.filter {
      [.synced, .folderSynced, .said].contains(changes[$0].kind)
    }
    return (0..<count).map { number in
      if number % 2 == 0, let near = synchronisations.randomElement(using: &random) {
        return near + Int.random(in: 0...1, using: &random)
      }
      return Int.random(in: 0...changes.count, using: &random)
    }.sorted()
  }
}
