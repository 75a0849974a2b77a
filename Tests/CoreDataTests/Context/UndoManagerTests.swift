import CoreData
import Foundation
import Testing

@Suite("UndoManager")
struct UndoManagerTests {
  /// A list whose changes can be undone.
  private final class List {
    let manager = UndoManager()
    var items: [String] = []

    func add(_ item: String) {
      items.append(item)
      manager.registerUndo(withTarget: self) { $0.removeLast() }
    }

    func removeLast() {
      let item = items.removeLast()
      manager.registerUndo(withTarget: self) { $0.add(item) }
    }

    func group(_ work: () -> Void) {
      manager.beginUndoGrouping()
      work()
      manager.endUndoGrouping()
    }
  }

  @Test("a new manager can neither undo nor redo")
  func new() {
    let manager = UndoManager()
    #expect(!manager.canUndo && !manager.canRedo && !manager.isUndoing && !manager.isRedoing)
    #expect(manager.groupsByEvent && manager.isUndoRegistrationEnabled)
    #expect(manager.groupingLevel == 0 && manager.levelsOfUndo == 0)
    #expect(manager.runLoopModes == [.default])
  }

  @Test("registered actions are undone, and those registered during undo are redone")
  func undoAndRedo() {
    let list = List()
    list.add("a")
    #expect(list.manager.canUndo)
    list.manager.undo()
    #expect(list.items == [])
    #expect(!list.manager.canUndo && list.manager.canRedo)
    list.manager.redo()
    #expect(list.items == ["a"])
    #expect(list.manager.canUndo && !list.manager.canRedo)
    list.manager.undo()
    #expect(list.items == [])
  }

  @Test("all actions registered in one event are undone together, in reverse order")
  func event() {
    let list = List()
    list.add("a")
    list.add("b")
    list.manager.undo()
    #expect(list.items == [])
    list.manager.redo()
    #expect(list.items == ["a", "b"])
  }

  @Test("groups are undone one by one")
  func groups() {
    let list = List()
    list.manager.groupsByEvent = false
    for item in ["a", "b", "c"] { list.group { list.add(item) } }
    list.manager.undo()
    #expect(list.items == ["a", "b"])
    list.manager.undo()
    #expect(list.items == ["a"])
    list.manager.redo()
    list.manager.redo()
    #expect(list.items == ["a", "b", "c"])
    #expect(list.manager.undoCount == 3 && list.manager.redoCount == 0)
  }

  @Test("nested groups are undone with the outer group")
  func nestedGroups() {
    let list = List()
    list.manager.groupsByEvent = false
    list.group {
      list.group { list.add("a") }
      #expect(list.manager.groupingLevel == 1)
      list.group {
        #expect(list.manager.groupingLevel == 2)
        list.add("b")
      }
    }
    list.manager.undo()
    #expect(list.items == [])
    list.manager.redo()
    #expect(list.items == ["a", "b"])
  }

  @Test("undoNestedGroup undoes the last group inside an open one")
  func undoNested() {
    let list = List()
    list.manager.groupsByEvent = false
    list.manager.beginUndoGrouping()
    list.group { list.add("a") }
    list.group { list.add("b") }
    list.manager.undoNestedGroup()
    #expect(list.items == ["a"])
    list.manager.endUndoGrouping()
    list.manager.undo()
    #expect(list.items == [])
  }

  @Test("an empty group is a step of its own, in undo and redo")
  func emptyGroup() {
    let list = List()
    list.group { list.add("a") }
    list.group {}
    #expect(list.manager.undoCount == 2)
    list.manager.undo()
    #expect(list.items == ["a"])
    list.manager.undo()
    #expect(list.items == [])
    list.manager.redo()
    list.manager.redo()
    #expect(list.items == ["a"] && !list.manager.canRedo)
  }

  @Test("the group of an event whose action was forgotten leaves nothing to undo")
  func forgottenEvent() {
    let list = List()
    list.add("a")
    list.manager.removeAllActions(withTarget: list)
    list.manager.undo()
    #expect(!list.manager.canUndo && !list.manager.canRedo)
    #expect(list.items == ["a"])
  }

  @Test("registering an action clears the redo stack")
  func clearsRedo() {
    let list = List()
    list.add("a")
    list.manager.undo()
    list.add("b")
    #expect(!list.manager.canRedo)
  }

  @Test("nothing is recorded until each call to disable is balanced")
  func disabled() {
    let list = List()
    list.manager.disableUndoRegistration()
    list.manager.disableUndoRegistration()
    list.add("a")
    list.manager.enableUndoRegistration()
    list.add("b")
    #expect(!list.manager.canUndo && !list.manager.isUndoRegistrationEnabled)
    list.manager.enableUndoRegistration()
    list.add("c")
    list.manager.undo()
    #expect(list.items == ["a", "b"])
  }

  @Test("the manager keeps only the newest levels up to its limit")
  func levels() {
    let list = List()
    list.manager.groupsByEvent = false
    list.manager.levelsOfUndo = 2
    for item in ["a", "b", "c"] { list.group { list.add(item) } }
    for _ in 0..<3 { list.manager.undo() }
    #expect(list.items == ["a"])
    list.manager.levelsOfUndo = 1
    #expect(list.manager.redoCount == 1)
  }

  @Test("removeAllActions forgets everything and records again")
  func removeAll() {
    let list = List()
    list.add("a")
    list.manager.disableUndoRegistration()
    list.manager.removeAllActions()
    #expect(!list.manager.canUndo && list.manager.isUndoRegistrationEnabled)
  }

  @Test("the actions of one target can be forgotten alone")
  func removeTarget() {
    let (list, other) = (List(), List())
    list.manager.groupsByEvent = false
    list.group {
      list.add("a")
      list.manager.registerUndo(withTarget: other) { $0.items.append("undone") }
    }
    list.manager.removeAllActions(withTarget: list)
    list.manager.undo()
    #expect(list.items == ["a"])
    #expect(other.items == ["undone"])
  }

  @Test("a target is not kept alive")
  func target() {
    let manager = UndoManager()
    weak var target: List?
    do {
      let list = List()
      target = list
      manager.registerUndo(withTarget: list) { $0.items = [] }
    }
    #expect(target == nil)
    manager.undo()
  }

  @Test("a group has a name, which the titles of menu items carry, and keeps it when it is undone and redone")
  func names() {
    let list = List()
    #expect(list.manager.undoMenuItemTitle == "Undo" && list.manager.redoMenuItemTitle == "Redo")
    list.add("a")
    list.manager.setActionName("Adding")
    #expect(list.manager.undoActionName == "Adding")
    #expect(list.manager.undoMenuItemTitle == "Undo Adding")
    list.manager.undo()
    #expect(list.manager.undoActionName == "" && list.manager.redoActionName == "Adding")
    #expect(list.manager.redoMenuItemTitle == "Redo Adding")
    list.manager.redo()
    #expect(list.manager.undoActionName == "Adding")
    #expect(list.manager.undoMenuTitle(forUndoActionName: "X") == "Undo X")
    #expect(list.manager.redoMenuTitle(forUndoActionName: "") == "Redo")
  }

  @Test("a group can be marked as discardable")
  func discardable() {
    let list = List()
    list.group {
      list.add("a")
      list.manager.setActionIsDiscardable(true)
    }
    #expect(list.manager.undoActionIsDiscardable && !list.manager.redoActionIsDiscardable)
    list.manager.undo()
    #expect(list.manager.redoActionIsDiscardable)
  }

  @Test("the manager posts notifications about groups, undo and redo")
  func notifications() {
    let list = List()
    let log = Log()
    let names: [Notification.Name] = [
      .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup, .NSUndoManagerDidCloseUndoGroup,
      .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange, .NSUndoManagerWillRedoChange,
      .NSUndoManagerDidRedoChange,
    ]
    let observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: list.manager, queue: nil) { note in
        log.lines.append(String(note.name.rawValue.dropFirst(13).prefix(9)))
      }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    list.add("a")
    #expect(log.take() == ["DidOpenUn"])
    list.manager.undo()
    #expect(
      log.take() == [
        "WillClose", "DidCloseU", "WillUndoC", "DidOpenUn", "WillClose", "DidCloseU", "DidUndoCh",
      ]
    )
    list.manager.redo()
    #expect(log.take() == ["WillRedoC", "DidOpenUn", "WillClose", "DidCloseU", "DidRedoCh"])
  }

  @Test("registering outside of a group stops the program if events do not group")
  func outsideOfGroup() async {
    await #expect(processExitsWith: .failure) {
      let manager = UndoManager()
      manager.groupsByEvent = false
      manager.registerUndo(withTarget: manager) { _ in }
    }
  }

  @Test("closing a group that is not open stops the program")
  func unbalanced() async {
    await #expect(processExitsWith: .failure) { UndoManager().endUndoGrouping() }
  }

  private final class Log: @unchecked Sendable {
    var lines: [String] = []

    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }
}
