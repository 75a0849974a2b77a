/// Actions that are undone together, the last first.
final class UndoGroup {
  enum Entry {
    case action(UndoAction)
    case group(UndoGroup)
  }

  var entries: [Entry] = []
  var name = ""
  var isDiscardable = false

  var isEmpty: Bool { entries.isEmpty }

  func replay() {
    for entry in entries.reversed() {
      switch entry {
      case .action(let action): action.run()
      case .group(let group): group.replay()
      }
    }
  }

  func copyDescription(from other: UndoGroup) {
    name = other.name
    isDiscardable = other.isDiscardable
  }

  func removeActions(of target: AnyObject) {
    entries.removeAll { entry in
      switch entry {
      case .action(let action): return action.target === target
      case .group(let group):
        group.removeActions(of: target)
        return group.isEmpty
      }
    }
  }
}

/// One step back.
struct UndoAction {
  private(set) weak var target: AnyObject?
  private let handler: (AnyObject) -> Void

  init<Target: AnyObject>(_ target: Target, _ handler: @escaping (Target) -> Void) {
    self.target = target
    self.handler = { object in
      if let target = object as? Target { handler(target) }
    }
  }

  func run() {
    if let target { handler(target) }
  }
}
