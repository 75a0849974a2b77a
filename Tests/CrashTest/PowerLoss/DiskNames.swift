import TestSupport

/// The names of files and folders: those that are on the disk for certain, and what was done to names since.
///
/// What was done in one folder is on the disk in its order; what was done in two folders may be there in one of them
/// alone. Only synchronising a folder makes sure of what is in it, as the manual of fsync says.
struct DiskNames {
  enum Entry: Equatable {
    case file(Int)
    case folder
  }

  private enum Change {
    case add(String, Entry)
    case remove(String)
    case rename(String, to: String)

    /// The folder whose synchronisation makes the change certain.
    var folder: String {
      switch self {
      case .add(let path, _), .remove(let path), .rename(_, let path): DiskNames.folder(of: path)
      }
    }
  }

  private(set) var current: [String: Entry]
  private let initial: [String: Entry]
  private var changes: [Change] = []
  /// How many of a folder's changes are certain.
  private var certain: [String: Int] = [:]
  /// The changes of each folder, by their places.
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

  /// Whether a name that is there now outlasts the power.
  func isCertain(_ path: String) -> Bool {
    let folder = Self.folder(of: path)
    guard certain[folder, default: 0] == places[folder, default: []].count else { return false }
    return folder.isEmpty || isCertain(folder)
  }

  enum Loss {
    case everything, nothing, some
  }

  /// The names that may be there once the power went.
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
    // A folder may have gone before what was in it.
    return names.filter { Self.isReachable($0.key, names) }
  }

  private static func apply(_ change: Change, to names: inout [String: Entry]) {
    switch change {
    case .add(let path, let entry):
      // In a folder that is not there, nothing is.
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
