import CoreData
import Shelf

/// A class of this module that descends from one of another.
class TopPlace: Place {
  override var label: String? {
    get { super.label.map { "top \($0)" } }
    set { super.label = newValue }
  }
}

/// A class that the other module's model generates, with a property and a method that are found by name.
extension Book {
  #if canImport(ObjectiveC)
    @objc
  #endif
  var initial: String { String(title?.prefix(1) ?? "") }

  #if canImport(ObjectiveC)
    @objc
  #endif
  func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    if value.pointee as? String == "" { throw CocoaError(.validationStringTooShort) }
  }
}

@main
enum Bookshop {
  static func main() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("Bookshop-\(UUID()).sqlite")
    try shelve(at: url)
    try look(at: url)
    try order()
    try migrate()
    print("passed")
  }

  private static func expect(_ condition: Bool, _ line: Int = #line) {
    guard !condition else { return }
    print("line \(line) failed")
    exit(1)
  }

  private static func shelf(at url: URL) -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Shelf")
    container.persistentStoreDescriptions[0].url = url
    container.loadPersistentStores { _, error in expect(error == nil) }
    return container
  }

  private static func shelve(at url: URL) throws {
    let container = shelf(at: url)
    let context = container.viewContext
    let author = Author(context: context)
    author.name = "Ada"
    author.born = Date(timeIntervalSinceReferenceDate: 1)
    for title in ["C", "A", "B"] {
      let book = title == "B" ? Comic(context: context) : Book(context: context)
      book.title = title
      book.id = UUID()
      book.isbn = 9_783_000_000_000
      book.pages += 9
      book.price = 12.5
      author.addToBooks(book)
    }
    (author.books?.object(at: 2) as? Comic)?.isColoured = true
    author.removeFromBooks(at: 1)
    author.insertIntoBooks(Book(context: context), at: 0)
    (author.books?.object(at: 0) as? Book)?.title = "first"
    let place = Place(context: context)
    expect(place.changedAt == Date(timeIntervalSinceReferenceDate: 0))
    place.label = "oak"
    place.level = .top
    place.marks = ["old", "heavy"]
    place.books = Set((author.books?.array ?? []).compactMap { $0 as? Book })
    place.touch(at: Date(timeIntervalSinceReferenceDate: 5))
    expect(author.titles == ["first", "C", "B"])
    try context.save()
  }

  private static func look(at url: URL) throws {
    let context = shelf(at: url).newBackgroundContext()
    try context.performAndWait {
      let request: NSFetchRequest<Place> = Place.fetchRequest()
      guard let place = try context.fetch(request).first else { return expect(false) }
      expect(place.label == "oak" && place.level == .top && place.books.count == 3)
      expect(place[keyPath: \.label] == "oak")
      expect(place.changedAt == Date(timeIntervalSinceReferenceDate: 5))
      let books: NSFetchRequest<Book> = Book.fetchRequest()
      books.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let found = try context.fetch(books)
      expect(found.map(\.title) == ["A", "B", "C", "first"])
      expect(found[1].pages == 10 && found[1].price == 12.5 && found[1].isbn == 9_783_000_000_000)
      expect((found[1] as? Comic)?.isColoured == true && found[1].author?.name == "Ada")
      place.removeFromBooks(found[1])
      place.addToBooks(NSSet(array: [found[0]]))
      expect(found[1].place == nil && found[0].place === place && place.books.contains(found[2]))
      expect(Set(found.map(\.id)).count == 4)
      try look(atInitialsIn: context, of: found, on: place)
    }
  }

  private static func look(
    atInitialsIn context: NSManagedObjectContext,
    of books: [Book],
    on place: Place
  ) throws {
    expect(place.value(forKey: "label") as? String == "oak")
    expect(books[3].value(forKey: "initial") as? String == "f")
    expect(NSPredicate(format: "initial == 'A'").evaluate(with: books[0]))
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: "initial",
      cacheName: nil
    )
    try controller.performFetch()
    expect(controller.sections?.map(\.name) == ["A", "B", "C", "f"])
    let top = TopPlace(entity: place.entity, insertInto: context)
    top.setValue("desk", forKey: "label")
    expect(top.value(forKey: "label") as? String == "top desk")
    context.delete(top)
    books[0].title = ""
    do {
      try context.save()
      expect(false)
    } catch {
      expect((error as? CocoaError)?.code == .validationStringTooShort)
    }
    context.rollback()
  }

  private static func order() throws {
    guard let model = NSManagedObjectModel.mergedModel(from: nil) else { return expect(false) }
    expect(model.entitiesByName["Order"] != nil && model.entitiesByName["Comic"] != nil)
    let container = NSPersistentContainer(name: "Both", managedObjectModel: model)
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    container.loadPersistentStores { _, error in expect(error == nil) }
    let order = Order(context: container.viewContext)
    expect(order.state == .open)
    order.state = .sent
    order.count += 2
    order.address = ["city": "Utrecht"]
    try container.viewContext.save()
    order.address?["street"] = "Oudegracht"
    expect(order.state == .sent && order.count == 2 && order.address?.count == 2)
    try models()
  }

  /// Migrates a store of the first version by the mapping model that is in the bundle of its models.
  private static func migrate() throws {
    guard let shelf = Shelf.models.url(forResource: "Shelf", withExtension: "momd"),
      let new = NSManagedObjectModel(contentsOf: shelf),
      let old = NSManagedObjectModel(contentsOf: shelf.appendingPathComponent("Shelf.mom"))
    else { return expect(false) }
    expect(NSMappingModel(from: [Shelf.models], forSourceModel: old, destinationModel: new) != nil)
    expect(NSMappingModel(from: nil, forSourceModel: old, destinationModel: new) != nil)
    expect(NSMappingModel(from: [Bundle.module], forSourceModel: old, destinationModel: new) == nil)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("Bookshop-\(UUID()).sqlite")
    let former = NSPersistentStoreCoordinator(managedObjectModel: old)
    let store = try former.addPersistentStore(type: .sqlite, at: url, options: nil)
    let writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    writer.persistentStoreCoordinator = former
    try writer.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: writer)
      book.setValue("quiet", forKey: "title")
      try writer.save()
    }
    try former.remove(store)

    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: new)
    // Without the mapping model the store could not be opened, since none is inferred.
    let options = [
      NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: false,
    ]
    _ = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = coordinator
    try reader.performAndWait {
      let books: NSFetchRequest<Book> = Book.fetchRequest()
      let found = try reader.fetch(books)
      expect(found.map(\.title) == ["QUIET"] && found.map(\.pages) == [1])
    }
  }

  private static func models() throws {
    guard let url = Bundle.module.url(forResource: "Orders", withExtension: "momd"),
      let orders = NSManagedObjectModel(contentsOf: url)
    else { return expect(false) }
    expect(orders.entities.map(\.managedObjectClassName) == ["Order"])
    guard let shelf = NSManagedObjectModel.mergedModel(from: [Shelf.models]) else { return expect(false) }
    expect(shelf.entitiesByName.keys.sorted() == ["Author", "Book", "Comic", "Place"])
    expect(shelf.entitiesByName["Author"]?.managedObjectClassName == "Shelf.Author")
    expect(Shelf.models.url(forResource: "Shelf", withExtension: "momd") != nil)
  }
}
