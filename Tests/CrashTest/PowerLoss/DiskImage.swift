import Foundation
import TestSupport

/// A folder on a disk, rebuilt from a log of changes, with the changes that the disk may lose in a power failure.
struct DiskImage {
  private var nodes: [DiskNode] = []
  /// The indices of files in `nodes`, by the file system's number.
  private var places: [UInt64: Int] = [:]
  private var names: DiskNames
  private let log: String
  /// The number of steps that were acknowledged so far.
  private(set) var acknowledged = 0
  /// The number of steps that were acknowledged when the write-ahead log and its name were last synchronised.
  private(set) var synchronised = 0
  private var loggedSteps = 0

  /// - Parameter store: the name of the store whose write-ahead log is tracked.
  init(_ folder: URL, store: String) throws {
    log = store + "-wal"
    var initial: [String: DiskNames.Entry] = [:]
    let contents = try FolderContents(folder)
    for path in contents.folders { initial[path] = .folder }
    for (path, data) in contents.files {
      let file = folder.appendingPathComponent(path).path
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      if let node = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value { places[node] = nodes.count }
      initial[path] = .file(nodes.count)
      nodes.append(DiskNode(data))
    }
    names = DiskNames(initial)
  }

  mutating func apply(_ change: DiskChange) throws {
    switch change.kind {
    case .created:
      places[change.node] = nodes.count
      names.add(change.path, .file(nodes.count))
      nodes.append(DiskNode())
    case .written:
      nodes[try place(change)].append(.write(offset: change.offset, bytes: change.bytes))
    case .truncated: nodes[try place(change)].append(.truncate(length: change.offset))
    case .synced:
      let place = try place(change)
      nodes[place].synchronise()
      if names.current[log] == .file(place) { loggedSteps = acknowledged }
      countSynchronised()
    case .folderSynced:
      names.synchronise(change.path)
      countSynchronised()
    case .allSynced:
      for place in nodes.indices { nodes[place].synchronise() }
      names.synchroniseAll()
      synchronised = acknowledged
    case .renamed:
      guard case .file = names.current[change.path] else { throw unknown(change) }
      names.rename(change.path, to: change.other)
    case .linked:
      guard let entry = names.current[change.path] else { throw unknown(change) }
      names.add(change.other, entry)
    case .removed, .folderRemoved: names.remove(change.path)
    case .folderMade: names.add(change.path, .folder)
    case .symlinked: throw unknown(change)
    case .said:
      let lines = String(decoding: change.bytes, as: UTF8.self).split(separator: "\n")
      acknowledged = lines.compactMap(ChildProcess.step).last ?? acknowledged
    }
  }

  private mutating func countSynchronised() {
    if names.current[log] != nil, names.isCertain(log) { synchronised = max(synchronised, loggedSteps) }
  }

  private func place(_ change: DiskChange) throws -> Int {
    if let place = places[change.node] { return place }
    throw unknown(change)
  }

  private func unknown(_ change: DiskChange) -> any Error {
    CrashStore.Wrong(
      description: "the picture of the disk does not know what was \(change.kind): \(change.path)"
    )
  }

  // MARK: - What is there

  /// The folder as the process sees it.
  var current: [String: Data] {
    names.current.compactMapValues { entry in
      if case .file(let place) = entry { nodes[place].current } else { nil }
    }
  }

  /// Writes the folder in one of the states that a power failure may leave.
  func writeAfterPowerLoss(to folder: URL, _ random: inout SplitMix) throws {
    // A disk often has the names without the contents, or the contents without the names.
    let names: [String: DiskNames.Entry]
    var losesContents = false
    switch Int.random(in: 0..<8, using: &random) {
    case 0: (names, losesContents) = (self.names.afterPowerLoss(.everything, &random), true)
    case 1, 2: (names, losesContents) = (self.names.afterPowerLoss(.nothing, &random), true)
    case 3: names = self.names.afterPowerLoss(.nothing, &random)
    case 4: names = self.names.afterPowerLoss(.everything, &random)
    default: names = self.names.afterPowerLoss(.some, &random)
    }
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var contents: [Int: Data] = [:]
    for (path, entry) in names.sorted(by: { $0.key < $1.key }) {
      let file = folder.appendingPathComponent(path)
      switch entry {
      case .folder: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      case .file(let place):
        let node = nodes[place]
        let data = contents[place] ?? (losesContents ? node.synced : node.afterPowerLoss(&random))
        contents[place] = data
        try data.write(to: file)
      }
    }
  }
}
