import CoreData

/// The model of the example Notes, with limits for lengths, which a program needs that accepts text from requests.
///
/// Rules do not affect version hashes: stores of the model can be opened with and without them.
enum NotesModel {
  static let titleLength = 200
  static let contentsLength = 20_000
  static let tagLength = 40

  /// The model is read once, and two stores in one process share it.
  static let shared: NSManagedObjectModel = {
    guard let url = Bundle.module.url(forResource: "Notes", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { fatalError("the program was built without its model, Notes.xcdatamodeld") }
    bound("Note", "title", titleLength, in: model)
    bound("Note", "contents", contentsLength, in: model)
    bound("Tag", "name", tagLength, in: model)
    return model
  }()

  private static func bound(_ entity: String, _ key: String, _ length: Int, in model: NSManagedObjectModel) {
    model.entitiesByName[entity]?.attributesByName[key]?.setValidationPredicates(
      [NSPredicate(format: "length <= %@", argumentArray: [length])],
      withValidationWarnings: ["at most \(length) characters"]
    )
  }
}
