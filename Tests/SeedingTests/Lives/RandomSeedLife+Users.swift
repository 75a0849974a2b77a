import CoreData
import Foundation
import TestSupport

extension RandomSeedLife {
  func editNote() throws {
    guard let title = expected.notes.keys.sorted().randomElement(using: &dice) else { return }
    let contents = ["mine", "text 0", nil].randomElement(using: &dice) ?? nil
    let category =
      (expected.categories.sorted().map(Optional.some) + [nil]).randomElement(using: &dice) ?? nil
    let tags = Set(expected.tags.sorted().filter { _ in Bool.random(using: &dice) })
    note("edit \(title): \(contents ?? "-") \(category ?? "-") \(tags.sorted())")
    expected.edit(title) { note in
      (note.contents, note.category, note.tags) = (contents, category, tags)
    }
    let tag = version.tag
    try store.edit("Note", where: "title", is: title) { note, context in
      func all(_ entity: String, _ names: Set<String>) throws -> Set<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name IN %@", names.sorted() as NSArray)
        return Set(try context.fetch(request))
      }
      note.setValue(contents, forKey: "contents")
      note.setValue(try category.flatMap { try all("Category", [$0]).first }, forKey: "category")
      note.setValue(try all(tag, tags), forKey: "tags")
    }
  }

  /// Lets a user change one step of a note, remove one, add one, or reverse their order.
  func editSteps() throws {
    guard let title = expected.notes.keys.sorted().randomElement(using: &dice) else { return }
    let places = (expected.notes[title]?.steps ?? []).indices
    let text = ["mine", "mix"].randomElement(using: &dice) ?? "mine"
    var edit = SeedLife.StepEdit.append(text)
    if let place = places.randomElement(using: &dice) {
      edit =
        [edit, .text(place, text), .text(place, text), .remove(place), .reverse].randomElement(using: &dice)
        ?? edit
    }
    note("edit steps of \(title): \(edit)")
    expected.edit(title, edit)
    let change = edit
    try store.edit("Note", where: "title", is: title) { note, context in
      let steps = ((note.value(forKey: "steps") as? NSOrderedSet)?.array ?? []).compactMap {
        $0 as? NSManagedObject
      }
      switch change {
      case .text(let place, let text): steps[place].setValue(text, forKey: "text")
      case .remove(let place): context.delete(steps[place])
      case .append(let text):
        let step = NSEntityDescription.insertNewObject(forEntityName: "Step", into: context)
        step.setValue(text, forKey: "text")
        note.setValue(NSOrderedSet(array: steps + [step]), forKey: "steps")
      case .reverse: note.setValue(NSOrderedSet(array: steps.reversed()), forKey: "steps")
      }
    }
  }

  private var keys: [SeedLife.Key] {
    expected.tags.sorted().map { .init(entity: "Tag", name: $0) }
      + expected.categories.sorted().map { .init(entity: "Category", name: $0) }
      + expected.notes.keys.sorted().map { .init(entity: "Note", name: $0) }
  }

  private func entityName(_ key: SeedLife.Key) -> String { key.entity == "Tag" ? version.tag : key.entity }

  func delete() throws {
    guard let key = keys.randomElement(using: &dice) else { return }
    note("delete \(key.entity) \(key.name)")
    expected.delete(key)
    try store.delete(entityName(key), key.entity == "Note" ? "title" : "name", key.name)
  }

  func insert() throws {
    let entity = ["Tag", "Category", "Note"].randomElement(using: &dice) ?? "Tag"
    let key = SeedLife.Key(
      entity: entity,
      name: ["a1", "b2", "mine"].randomElement(using: &dice) ?? "mine"
    )
    guard !expected.has(key) else { return }
    note("insert \(key.entity) \(key.name)")
    expected.insert(key)
    try store.insert(entityName(key), [key.entity == "Note" ? "title" : "name": key.name])
  }

  func renameTag() throws {
    guard let name = expected.tags.sorted().randomElement(using: &dice), !expected.tags.contains("other")
    else {
      return
    }
    note("rename \(name)")
    expected.renameTag(name, to: "other")
    try store.set(version.tag, "name", name, "name", to: "other")
  }
}
