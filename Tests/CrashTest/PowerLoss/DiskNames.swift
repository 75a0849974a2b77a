import TestSupport

/// The names of files and folders: the durable ones, and the changes to names that are not durable yet.
///
/// The changes within one folder reach the disk in order. Of the changes in two folders, those of only one may reach it. Only
/// synchronising a folder makes its entries durable, as the manual of fsync says.
struct DiskNames {
  enum Entry: Equatable {
    case file(Int)
    case folder
  }

  private enum Change {
    case add(String, Entry)
    case remove(String)
    case rename(String, to: String)

    /// The folder whose synchronisation makes the change durable.
    var folder: String {
      switch self {
      case .add(let path, _), .remove(let path), .rename(_, let path): DiskNames.folder(of: path)
      }
    }
  }

  private(set) var current: [String: Entry]
  private let initial: [String: Entry]
  private var changes: [Change] = []
  /// The number of durable changes of each folder.
  private var certain: [String: Int] = [:]
  /// The indices of each folder's changes.
  private var places: [String: [Int]] = [:]

  init(_ initial: [String: Entry]) { (self.initial, current) = (initial, initial) }

  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  mutating func add(_ path: String, _ entry: Entry) { change(.add(path, entry)) }
  mutating func remove(_ path: String) { change(.remove(path)) }
  mutating func rename(_ path: String, to other: String) { change(.rename(path, to: other)) }

  private mutating func change(_ change: Change) {
    places[change.folder, default: []].append(changes.count)
    changes.append(change)
    Self.apply(change, to: &current)
  }

  mutating func synchronise(_ folder: String) { certain[folder] = places[folder]?.count ?? 0 }

  mutating func synchroniseAll() { for folder in places.keys { synchronise(folder) } }

  /// Whether a current name survives a power failure.
  func isCertain(_ path: String) -> Bool {
    let folder = Self.folder(of: path)
    guard certain[folder, default: 0] == places[folder, default: []].count else { return false }
    return folder.isEmpty || isCertain(folder)
  }

  enum Loss {
    case everything, nothing, some
  }

  /// The names that may exist after a power failure.
  func afterPowerLoss(_ loss: Loss, _ random: inout SplitMix) -> [String: Entry] {
    var isThere = [Bool](repeating: false, count: changes.count)
    for (folder, places) in places.sorted(by: { $0.key < $1.key }) {
      let least = certain[folder, default: 0]
      let count =
        switch loss {
        case .everything: least
        case .nothing: places.count
        case .some: Int.random(in: least...places.count, using: &random)
        }
      for place in places.prefix(count) { isThere[place] = true }
    }
    var names = initial
    for (change, isThere) in zip(changes, isThere) where isThere { Self.apply(change, to: &names) }
    // A folder's removal may be durable before the removal of its contents.
    return names.filter { Self.isReachable($0.key, names) }
  }

  private static func apply(_ change: Change, to names: inout [String: Entry]) {
    switch change {
    case .add(let path, let entry):
      // A folder that does not exist has no entries.
      if isFolder(folder(of: path), names) { names[path] = entry }
    case .remove(let path): names[path] = nil
    case .rename(let path, let other):
      guard let entry = names[path], isFolder(folder(of: other), names) else { return }
      names[path] = nil
      names[other] = entry
    }
  }

  private static func isReachable(_ path: String, _ names: [String: Entry]) -> Bool {
    let folder = folder(of: path)
    return folder.isEmpty || names[folder] == .folder && isReachable(folder, names)
  }

  private static func isFolder(_ path: String, _ names: [String: Entry]) -> Bool {
    path.isEmpty || names[path] == .folder
  }
}
