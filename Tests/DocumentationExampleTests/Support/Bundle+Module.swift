import CoreData
import Foundation
import ModelFormats
import TestModels
import TestSupport

extension Bundle {
  /// The resources of the examples' target. They include a compiled model and a store, so they are made on first use and
  /// removed at the end of the process.
  static let module: Bundle = {
    do {
      try ExampleResources.write()
    } catch {
      fatalError("the resources of the examples cannot be made: \(error)")
    }
    atexit { try? FileManager.default.removeItem(at: ExampleResources.folder) }
    guard let bundle = Bundle(path: ExampleResources.folder.path) else {
      fatalError("\(ExampleResources.folder.path) is not a bundle")
    }
    return bundle
  }()
}

private enum ExampleResources {
  static let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("\(UUID().uuidString).resources")

  private static let texts = [
    "garden.json": """
    {"beds": [{"name": "by the wall", "plants": ["Thyme"]}, {"name": "in the sun", "plants": ["Sage"]}],
     "plants": [{"name": "Thyme", "water": 1}, {"name": "Sage", "water": 1}]}
    """,
    "plants.json": #"{"plants": [{"name": "Thyme", "water": 1}, {"name": "Sage", "water": 1}]}"#,
    "plants.jsonl": #"{"$entity": "Plant", "name": "Thyme", "water": 1}"# + "\n",
    "plants.csv": "name,water\nThyme,1\nSage,1\n",
    "plants.de.csv": "name,water\nThymian,1\nSalbei,1\n",
    "beds.csv": "name,plants\nby the wall,Thyme\n",
    "demo.json": #"{"plants": [{"name": "Basil", "water": 3, "sownAt": {"$now": "-7d"}}]}"#,
    "basics/beds.json": #"{"beds": [{"name": "by the wall"}]}"#,
  ]

  static func write() throws {
    for (name, text) in texts {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: file)
    }
    try writeModel()
    try writeStore()
  }

  /// A compiled model of beds and plants.
  private static func writeModel() throws {
    let source = folder.appendingPathComponent("Garden.xcdatamodeld")
    let garden = makeModel([
      makeEntity("Bed", makeAttribute("name")),
      makeEntity("Plant", makeAttribute("height"), makeAttribute("name")),
    ])
    try ModelPackage.write([(name: "Garden", document: garden.document)], current: "Garden", to: source)
    try CompiledModelPackage.compile(source, to: folder.appendingPathComponent("Garden.momd"))
    try FileManager.default.removeItem(at: source)
  }

  /// A store with one note.
  private static func writeStore() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ExampleModel.shared)
    let store = try coordinator.addPersistentStore(
      type: .sqlite,
      at: folder.appendingPathComponent("Notes.sqlite")
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      Note(context: context).title = "Begin a garden"
      try context.save()
    }
    try coordinator.remove(store)
  }
}
