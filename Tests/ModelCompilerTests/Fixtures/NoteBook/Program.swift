import CoreData
import Kit

@main
enum Program {
  static func expect(_ condition: Bool, line: Int = #line) {
    if !condition {
      print("line \(line) failed")
      exit(1)
    }
  }

  static func main() {
    let note = Note()
    note.int = 3
    note.int += 4
    expect(note.int == 7 && note[keyPath: \.int] == 7)
    note.name = "a"
    note.name?.append("b")
    var named: any Named = note
    named.name?.append("c")
    expect(note.name == "abc")
    note[keyPath: \Note.name] = nil
    expect(note.name == nil)
    note.forced = "forced"
    expect(note.forced.count == 6)
    note.twice = .some(nil)
    expect(note.twice == .some(nil))
    let date = Date()
    note.date = date
    note.start = date
    expect(note.date == date && note.start == date)
    let tag = Tag()
    note.tag = tag
    note.typed = [tag]
    note.typed.insert(Tag())
    note.list = [tag]
    note.list.append(tag)
    expect(note.tag === tag && note.typed.count == 2 && note.list.count == 2)
    note.kind = .long
    note.kindOptional = .short
    note.mood = .bad
    expect(note.kind == .long && note.kindOptional == .short && note.mood == .bad)
    note.place = Place(latitude: 2)
    note.place?.latitude += 1
    expect(note.place?.latitude == 3)
    note.dictionary = ["a": 1]
    note.dictionary["b"] = 2
    expect(note.dictionary.count == 2)
    note.anything = 5
    expect(note.anything as? Int == 5)
    note.both = BothNamed()
    note.both.name = "both"
    expect(note.both.name == "both")
    note.labelled = (x: 1, y: tag)
    expect(note.labelled.y === tag)
    note.type = Note.self
    expect(note.type == Note.self)
    note.box = Box(content: 9)
    expect(note.box.content == 9)
    note.größe = 2.5
    note.`class` = "c"
    note.😀 = 1
    expect(note.größe == 2.5 && note.`class` == "c" && note.😀 == 1)
    note.packaged = [date]
    expect(note.useSecrets() == "primitive")
    note.addToTags(tag)
    note.removeFromTags(tag)
    note.addToTags(NSSet())
    note.insertIntoSteps(tag, at: 1)
    note.removeFromSteps(at: 2)
    note.removeFromSteps(at: NSIndexSet())
    note.replaceSteps(at: 3, with: tag)
    note.addNotesObject(note)
    note.addNotes([note])
    note.leave(note)
    expect(
      note.log == [
        "add secrets", "add tags", "remove tags", "add all tags", "insert 1 steps", "remove 2 steps",
        "remove places steps", "replace 3 steps", "add notes", "add all notes", "remove notes",
      ]
    )
    let child = Child()
    child.kitName = "kit"
    child.rank = .high
    child.added = child
    expect(child.added?.kitName == "kit" && child.rank == .high)
    child.addToParts(child)
    child.rename()
    expect(child.log == ["add parts"])
    expect(usePlaces())
    useKit()
    print("passed")
  }
}

/// Uses another module's accessors in every way that one can.
func useKit() {
  func rename<Object: KitNamed>(_ object: Object, _ name: String) { object.kitName = name }
  let leaf = KitLeaf()
  leaf.weight = 1
  leaf.weight += 1
  leaf.packaged = ["a"]
  leaf.packaged.append("b")
  leaf.changing = nil
  leaf.apart = "apart"
  leaf.setManagedValue(1, "hint")
  leaf.setManagedValue(1, "shown")
  leaf.show()
  rename(leaf, "x")
  let named: any KitNamed = leaf
  named.kitName?.append("y")
  Program.expect(leaf.title == "xy 2.0" && leaf.packaged == ["a", "b"] && leaf.doubledHint() == 4)
  Program.expect(leaf.shown == 2 && leaf[keyPath: \.weight] == 2 && leaf[keyPath: \KitObject.kitName] == "xy")
  let loud = Loud()
  rename(loud, "loud")
  Program.expect(loud.kitName == "LOUD")
  let same = Same()
  rename(same, "same")
  Program.expect((same as KitObject).kitName == "same")
}

class Loud: KitObject {
  override var kitName: String? {
    get { super.kitName?.uppercased() }
    set { super.kitName = newValue }
  }
}

final class Same: KitObject {
  @NSManaged override var kitName: String?
}

final class BothNamed: Named, Aged {
  var name: String?
}
