import CoreData
import TestModels

/// The model of the examples: notes with authors and tags, songs, and a garden's beds and plants.
///
/// All examples share it, because `Note.entity()` requires a single model with the class.
enum ExampleModel {
  static let shared = makeModel(entities())

  private static func entities() -> [NSEntityDescription] {
    let note = makeEntity(
      "Note",
      Note.self,
      [
        makeAttribute("title", optional: false, default: "Untitled"),
        makeAttribute("text"),
        makeAttribute("createdAt", .dateAttributeType, optional: false, default: Notebook.day(1)),
        makeAttribute("isPinned", .booleanAttributeType, optional: false, default: false),
        makeAttribute("rating", .integer64AttributeType, optional: false, default: 0),
      ]
    )
    let author = makeEntity("Author", Author.self, [makeAttribute("name", optional: false, default: "")])
    let tag = makeEntity("Tag", Tag.self, [makeAttribute("name", optional: false, default: "")])
    tag.uniquenessConstraints = [["name"]]
    let song = makeEntity(
      "Song",
      makeAttribute("title"),
      makeAttribute("seconds", .integer32AttributeType),
      makeAttribute("lastPlayedAt", .dateAttributeType),
      makeAttribute("isNew", .booleanAttributeType),
      makeAttribute("plays", .integer32AttributeType)
    )
    let bed = makeEntity("Bed", makeAttribute("name", optional: false))
    let plant = makeEntity(
      "Plant",
      makeAttribute("name", optional: false),
      makeAttribute("water", .integer16AttributeType),
      makeAttribute("sownAt", .dateAttributeType)
    )
    relate(note, "author", isToMany: false, author, "notes", isToMany: true)
    relate(note, "tags", isToMany: true, tag, "notes", isToMany: true)
    relate(plant, "bed", isToMany: false, bed, "plants", isToMany: true)
    return [note, author, tag, song, bed, plant]
  }
}
