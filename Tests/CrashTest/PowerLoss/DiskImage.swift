import Foundation
import TestSupport

/// A folder on a disk, as the changes of a log make it, with what the disk may lose when the power goes.
struct DiskImage {
  private var nodes: [DiskNode] = []
  /// The places of files in `nodes`, by the numbers that the file system gives them.
  private var places: [UInt64: Int] = [:]
  private var names: DiskNames
  private let log: String
  /// How many steps were acknowledged so far.
  private(set) var acknowledged = 0
  /// How many of them were when the write-ahead log was synchronised last, with its name.
  private(set) var synchronised = 0
  private var loggedSteps = 0

  /// - Parameter store: the name of the store whose log is looked at.
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

  /// Makes a folder as it may be once the power went.
  func writeAfterPowerLoss(to folder: URL, _ random: inout SplitMix) throws {
    // Often the names are there and the contents are not, or the other way round.
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
