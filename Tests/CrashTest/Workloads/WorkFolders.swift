import Foundation

/// Where a workload is prepared once, to be copied for each run.
struct WorkFolders: Sendable {
  let workload: any Workload
  private let base: URL
  private let prepared: WorkPlace

  /// Prepares the workload.
  ///
  /// - Parameter hasNeighbours: whether files of others lie beside it.
  init(_ workload: any Workload, in base: URL, hasNeighbours: Bool = true) throws {
    self.workload = workload
    self.base = base.appendingPathComponent(workload.name.replacingOccurrences(of: " ", with: "-"))
    prepared = WorkPlace(
      folder: self.base.appendingPathComponent("prepared"),
      inputs: self.base.appendingPathComponent("inputs")
    )
    for folder in [prepared.folder, prepared.inputs] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try workload.prepare(prepared)
    if hasNeighbours { try Neighbours.make(in: prepared.folder) }
  }

  /// Makes a place that is as it was prepared.
  func copy(_ name: String) throws -> WorkPlace {
    let folder = base.appendingPathComponent(name)
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.copyItem(at: prepared.folder, to: folder)
    return WorkPlace(folder: folder, inputs: prepared.inputs)
  }

  /// The process that does the work.
  func process(_ place: WorkPlace, environment: [String: String]) -> ChildProcess {
    // The order of a dictionary must not decide which call is the tenth.
    let all = environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    if let arguments = workload.arguments(place) {
      return ChildProcess(Programs.perennial, arguments, environment: all)
    }
    let arguments = ["work", workload.name, place.folder.path, place.inputs.path]
    return ChildProcess(Programs.own, arguments, environment: all)
  }

  /// How many steps a process has acknowledged: a command has done all of its work when it ends well.
  func acknowledged(_ ended: ChildProcess.Ended, _ place: WorkPlace) -> Int {
    guard workload.arguments(place) != nil else { return ended.acknowledged }
    return ended.status == .exited(0) ? workload.steps : 0
  }
}
