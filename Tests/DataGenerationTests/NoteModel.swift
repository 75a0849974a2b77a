import CoreData
import TestModels

/// Notes with tags and a category, and with validation rules for their values.
enum NoteModel {
  static func model(_ configure: ([String: NSEntityDescription]) -> Void = { _ in }) -> NSManagedObjectModel {
    let note = makeEntity(
      "Note",
      makeAttribute("createdAt", .dateAttributeType, optional: false),
      makeAttribute("rank", .integer16AttributeType, optional: false),
      makeAttribute("title", optional: false)
    )
    let tag = makeEntity("Tag", makeAttribute("name", optional: false))
    let category = makeEntity("Category", makeAttribute("name", optional: false))
    relate(note, "tags", isToMany: true, tag, "notes", isToMany: true)
    relate(note, "category", isToMany: false, category, "notes", isToMany: true)
    return makeModel([note, tag, category], configure)
  }
}
