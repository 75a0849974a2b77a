public import Foundation

/// Records how to take changes back, in groups, and takes them back group by group, or makes them once more.
///
/// Foundation has the class on Apple's platforms; this is the same class for other platforms. Apple's documentation of
/// `UndoManager`. It is used on one thread, or on the queue of the context that it belongs to.
///
/// With ``groupsByEvent`` the first registration of an event opens a group of its own. There is no
/// event loop that all programs have here: an event ends with ``undo()`` and ``redo()``, with the
/// block that a context performs, and on the main thread when the main queue is next free.
open class UndoManager: NSObject {
  /// The groups that are open, the outermost first.
  private var openGroups: [UndoGroup] = []
  private var undoStack: [UndoGroup] = []
  private var redoStack: [UndoGroup] = []
  private var disableCount = 0
  /// True when the outermost open group was opened for an event.
  private var isEventGroupOpen = false

  /// Makes a manager without actions.
  public override init() { super.init() }

  // MARK: - Groups

  /// The number of groups that are open, one inside the other.
  open var groupingLevel: Int { openGroups.count }

  /// A Boolean value that is true when each event has a group of its own; `true` unless set.
  /// Otherwise a group is opened by ``beginUndoGrouping()`` before anything is registered.
  open var groupsByEvent = true

  /// The number of groups that are kept to be undone, and of those to be redone, the oldest going
  /// first; 0 for no limit.
  open var levelsOfUndo = 0 { didSet { trim() } }

  /// The run loop modes in which Apple's platforms close the group of an event.
  open var runLoopModes: [RunLoop.Mode] = [.default]

  /// Opens a group.
  open func beginUndoGrouping() {
    post(.NSUndoManagerCheckpoint)
    openGroups.append(UndoGroup())
    post(.NSUndoManagerDidOpenUndoGroup)
  }

  /// Closes the innermost open group. An empty one can be undone too, so that each pair of calls is one step back.
  open func endUndoGrouping() {
    post(.NSUndoManagerCheckpoint)
    guard let group = openGroups.last else {
      fatalError("endUndoGrouping() was called without beginUndoGrouping(); call them in pairs.")
    }
    post(.NSUndoManagerWillCloseUndoGroup, userInfo: [NSUndoManagerGroupIsDiscardableKey: group.isDiscardable])
    openGroups.removeLast()
    let isOfEvent = isEventGroupOpen && openGroups.isEmpty
    if openGroups.isEmpty { isEventGroupOpen = false }
    // The group of an event was opened for an action, which has been forgotten since; an undone one
    // that could not be recorded cannot be redone.
    if !group.isEmpty || !isOfEvent && isUndoRegistrationEnabled { append(group) }
    post(.NSUndoManagerDidCloseUndoGroup)
  }

  private func append(_ group: UndoGroup) {
    if let outer = openGroups.last {
      outer.entries.append(.group(group))
    } else if isUndoing {
      redoStack.append(group)
    } else {
      undoStack.append(group)
      trim()
    }
  }

  private func trim() {
    guard levelsOfUndo > 0 else { return }
    undoStack.removeFirst(max(undoStack.count - levelsOfUndo, 0))
    redoStack.removeFirst(max(redoStack.count - levelsOfUndo, 0))
  }

  /// Closes the group that was opened for an event, if that group is open.
  final func endEvent() {
    if isEventGroupOpen, openGroups.count == 1, !isUndoing, !isRedoing { endUndoGrouping() }
  }

  // MARK: - Registering

  /// A Boolean value that is true when registered actions are recorded.
  open var isUndoRegistrationEnabled: Bool { disableCount == 0 }

  /// Stops recording until ``enableUndoRegistration()`` has been called as often.
  open func disableUndoRegistration() { disableCount += 1 }

  /// Takes one call of ``disableUndoRegistration()`` back.
  open func enableUndoRegistration() {
    guard disableCount > 0 else {
      fatalError("enableUndoRegistration() was called without disableUndoRegistration(); call them in pairs.")
    }
    disableCount -= 1
  }

  /// Records how to take a change back; recorded while an action is undone, it is how to redo that action.
  ///
  /// - Parameters:
  ///   - target: the object that the action is about; it is not kept alive, and the action goes when it is gone.
  ///   - handler: called with the target.
  open func registerUndo<TargetType: AnyObject>(
    withTarget target: TargetType,
    handler: @escaping (TargetType) -> Void
  ) {
    guard isUndoRegistrationEnabled else { return }
    if openGroups.isEmpty { openGroupForEvent() }
    if !isUndoing, !isRedoing { redoStack.removeAll() }
    openGroups.last?.entries.append(.action(UndoAction(target, handler)))
  }

  private func openGroupForEvent() {
    guard groupsByEvent else {
      fatalError("nothing can be registered outside of a group while groupsByEvent is false; call beginUndoGrouping().")
    }
    beginUndoGrouping()
    isEventGroupOpen = true
    guard Thread.isMainThread else { return }
    let manager = UncheckedSendable(WeakUndoManager(manager: self))
    DispatchQueue.main.async { manager.value.manager?.endEvent() }
  }

  /// Forgets all actions, and records again if that was disabled.
  open func removeAllActions() {
    undoStack.removeAll()
    redoStack.removeAll()
    for group in openGroups { group.entries.removeAll() }
    disableCount = 0
  }

  /// Forgets the actions of a target.
  open func removeAllActions(withTarget target: Any) {
    let target = target as AnyObject
    for group in undoStack + redoStack + openGroups { group.removeActions(of: target) }
    undoStack.removeAll(where: \.isEmpty)
    redoStack.removeAll(where: \.isEmpty)
  }

  // MARK: - Undoing and redoing

  /// A Boolean value that is true when there is a group to undo.
  open var canUndo: Bool { !undoStack.isEmpty || openGroups.contains { !$0.isEmpty } }

  /// A Boolean value that is true when there is anything to redo.
  open var canRedo: Bool {
    post(.NSUndoManagerCheckpoint)
    return !redoStack.isEmpty
  }

  /// The number of groups that can be undone.
  open var undoCount: Int { undoStack.count }

  /// The number of groups that can be redone.
  open var redoCount: Int { redoStack.count }

  /// A Boolean value that is true while an action is being undone.
  open private(set) var isUndoing = false

  /// A Boolean value that is true while an action is being redone.
  open private(set) var isRedoing = false

  /// Closes the group of the event, and takes back the last group.
  open func undo() {
    endEvent()
    guard openGroups.isEmpty else {
      fatalError("undo() was called while a group is open; close it by endUndoGrouping(), or use undoNestedGroup().")
    }
    undoNestedGroup()
  }

  /// Takes back the last group, which may be inside an open one.
  open func undoNestedGroup() {
    post(.NSUndoManagerCheckpoint)
    guard let group = popGroupToUndo() else { return }
    post(.NSUndoManagerWillUndoChange)
    isUndoing = true
    replay(group)
    isUndoing = false
    post(.NSUndoManagerDidUndoChange)
  }

  /// Makes what was last undone once more.
  open func redo() {
    endEvent()
    post(.NSUndoManagerCheckpoint)
    guard let group = redoStack.popLast() else { return }
    post(.NSUndoManagerWillRedoChange)
    isRedoing = true
    replay(group)
    isRedoing = false
    post(.NSUndoManagerDidRedoChange)
  }

  private func popGroupToUndo() -> UndoGroup? {
    guard let open = openGroups.last else { return undoStack.popLast() }
    guard case .group(let nested)? = open.entries.last else { return nil }
    open.entries.removeLast()
    return nested
  }

  /// Carries out a group, the last action first; what is registered meanwhile is the way back.
  private func replay(_ group: UndoGroup) {
    let outer = openGroups
    openGroups = []
    beginUndoGrouping()
    openGroups.last?.copyDescription(from: group)
    group.replay()
    while !openGroups.isEmpty { endUndoGrouping() }
    openGroups = outer
  }

  // MARK: - Names

  /// Names the open group, or else the last one, for the titles of menu items.
  open func setActionName(_ actionName: String) { (openGroups.first ?? undoStack.last)?.name = actionName }

  /// The name of what is undone next; empty when it has none.
  open var undoActionName: String { (openGroups.first { !$0.isEmpty } ?? undoStack.last)?.name ?? "" }

  /// The name of what is redone next; empty when it has none.
  open var redoActionName: String { redoStack.last?.name ?? "" }

  /// "Undo" with the name of the action.
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

  /// "Redo" with the name of the action.
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// "Undo" with a name.
  open func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  /// "Redo" with a name.
  open func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }

  /// Sets whether the open group, or else the last one, may be forgotten when its document is saved.
  open func setActionIsDiscardable(_ discardable: Bool) {
    (openGroups.last ?? undoStack.last)?.isDiscardable = discardable
  }

  /// A Boolean value that is true when the group that is undone next may be forgotten.
  open var undoActionIsDiscardable: Bool { undoStack.last?.isDiscardable ?? false }

  /// A Boolean value that is true when the group that is redone next may be forgotten.
  open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

  private func post(_ name: Notification.Name, userInfo: [AnyHashable: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }

  open override var description: String { ObjectHead.text(self) }
}

private struct WeakUndoManager {
  weak var manager: UndoManager?
}
