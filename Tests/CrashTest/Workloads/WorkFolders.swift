import Foundation

/// The folder in which a workload is prepared once. Each run works on a copy.
struct WorkFolders: Sendable {
  let workload: any Workload
  private let base: URL
  private let prepared: WorkPlace

  /// Prepares the workload.
  ///
  /// - Parameter hasNeighbours: whether the folder also contains files that do not belong to the workload.
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

  /// Makes a copy of the prepared folder.
  func copy(_ name: String) throws -> WorkPlace {
    let folder = base.appendingPathComponent(name)
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.copyItem(at: prepared.folder, to: folder)
    return WorkPlace(folder: folder, inputs: prepared.inputs)
  }

  /// The process that does the work.
  func process(_ place: WorkPlace, environment: [String: String]) -> ChildProcess {
    // A dictionary's order must not decide which call is the tenth.
    let all = environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    if let arguments = workload.arguments(place) {
      return ChildProcess(Programs.perennial, arguments, environment: all)
    }
    let arguments = ["work", workload.name, place.folder.path, place.inputs.path]
    return ChildProcess(Programs.own, arguments, environment: all)
  }

  /// The number of steps that a process has acknowledged. A command that exits with success has done all its work.
  func acknowledged(_ ended: ChildProcess.Ended, _ place: WorkPlace) -> Int {
    guard workload.arguments(place) != nil else { return ended.acknowledged }
    return ended.status == .exited(0) ? workload.steps : 0
  }
}
