import CoreData
import Foundation
import Testing

extension Note {
  /// A value computed from two properties, which is not a key of the model.
  var summary: String { "\(title ?? "") \(rating)" }
  /// A custom accessor, in the form that Apple's documentation shows.
  var shout: String? {
    willAccessValue(forKey: "title")
    defer { didAccessValue(forKey: "title") }
    return primitiveValue(forKey: "title") as? String
  }
}

/// Classes that are in no model.
private final class Draft: NSManagedObject {
  var text: String {
    get { managedValue("text") }
    set { setManagedValue(newValue, "text") }
  }
  var pages: Int {
    get { managedValue("pages") }
    set { setManagedValue(newValue, "pages") }
  }
  var date: Date? {
    get { managedValue("date") }
    set { setManagedValue(newValue, "date") }
  }
  var words: [String] {
    get { managedValue("words") }
    set { setManagedValue(newValue, "words") }
  }
  var stage: Stage {
    get { managedValue("stage") as Stage }
    set { setManagedValue(newValue.rawValue, "stage") }
  }
  var folder: Folder {
    get { managedValue("folder") }
    set { setManagedValue(newValue, "folder") }
  }
  var sheets: NSOrderedSet? {
    get { managedValue("sheets") }
    set { setManagedValue(newValue, "sheets") }
  }
  var marks: NSMutableOrderedSet {
    get { managedValue("marks") }
    set { setManagedValue(newValue, "marks") }
  }
  var readers: NSMutableSet {
    get { managedValue("readers") }
    set { setManagedValue(newValue, "readers") }
  }
  var other: Folder? {
    get { managedValue("other") }
    set { setManagedValue(newValue, "other") }
  }
}

extension Draft {
  /// The accessor that the plugin generates for a property whose class is private to a file, so that accessors
  /// cannot name it.
  fileprivate var cover: Cover {
    unsafeDowncast(managedValue("cover") as NSManagedObject, to: Cover.self)
  }
}

private class Cover: NSManagedObject {
  var title: String? { managedValue("title") }
}

private enum Stage: Int, Sendable {
  case first = 1
  case second
}

private final class Folder: NSManagedObject {
  var name: String? {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }
  var drafts: Set<Draft> {
    get { managedValue("drafts") }
    set { setManagedValue(newValue, "drafts") }
  }
}

/// A class of objects with properties that are not managed.
class Leaflet: NSManagedObject {
  var name: String?
  var author: String?
  var size = 1
  final var pages = 2
  var length: Int { size + 1 }
  var words: [String] = []
}
class Brochure: Leaflet {
  var price = 1.5
}

@Suite("Names of key paths")
struct KeyPathTests {
  @Test("key path names are found for attributes, through relationships, and for custom accessors")
  func names() throws {
    let stack = try Stack(.inMemory)
    #expect(NSSortDescriptor(keyPath: \Note.title, ascending: true).key == "title")
    #expect(NSSortDescriptor(keyPath: \Note.rating, ascending: true).key == "rating")
    #expect(NSSortDescriptor(keyPath: \Note.createdAt, ascending: true).key == "createdAt")
    #expect(NSSortDescriptor(keyPath: \Note.category?.name, ascending: true).key == "category.name")
    #expect(NSSortDescriptor(keyPath: \Note.shout, ascending: true).key == "title")
    withExtendedLifetime(stack) {}
  }

  @Test("key path names are available to libraries as _kvcKeyPathString")
  func standardName() throws {
    let stack = try Stack(.inMemory)
    #expect((\Note.category?.badge as AnyKeyPath)._kvcKeyPathString == "category.badge")
    #expect((\Note.title as AnyKeyPath)._kvcKeyPathString == "title")
    #expect((\Note.summary as AnyKeyPath)._kvcKeyPathString == nil)
    withExtendedLifetime(stack) {}
  }

  @Test("key path names are found in classes that no model in use has, also through relationships")
  func unmodelled() {
    #expect((\Draft.text as AnyKeyPath)._kvcKeyPathString == "text")
    #expect((\Draft.pages as AnyKeyPath)._kvcKeyPathString == "pages")
    #expect((\Draft.date as AnyKeyPath)._kvcKeyPathString == "date")
    #expect((\Draft.words as AnyKeyPath)._kvcKeyPathString == "words")
    #expect((\Draft.stage as AnyKeyPath)._kvcKeyPathString == "stage")
    #expect((\Draft.sheets as AnyKeyPath)._kvcKeyPathString == "sheets")
    #expect((\Draft.marks as AnyKeyPath)._kvcKeyPathString == "marks")
    #expect((\Draft.readers as AnyKeyPath)._kvcKeyPathString == "readers")
    #expect((\Draft.folder.name as AnyKeyPath)._kvcKeyPathString == "folder.name")
    #expect((\Draft.other?.drafts as AnyKeyPath)._kvcKeyPathString == "other.drafts")
    #expect((\Draft.cover.title as AnyKeyPath)._kvcKeyPathString == "cover.title")
  }

  @Test("key path names are found for stored properties that no model has")
  func stored() {
    #expect((\Leaflet.name as AnyKeyPath)._kvcKeyPathString == "name")
    #expect((\Leaflet.author as AnyKeyPath)._kvcKeyPathString == "author")
    #expect((\Leaflet.size as AnyKeyPath)._kvcKeyPathString == "size")
    #expect((\Leaflet.pages as AnyKeyPath)._kvcKeyPathString == "pages")
    #expect((\Brochure.price as AnyKeyPath)._kvcKeyPathString == "price")
    #expect((\Brochure.author as AnyKeyPath)._kvcKeyPathString == "author")
    #expect((\Leaflet.length as AnyKeyPath)._kvcKeyPathString == nil)
    #expect((\Leaflet.name?.count as AnyKeyPath)._kvcKeyPathString == nil)
  }

  @Test("key path names end at values: a key path into a collection or a text has none")
  func values() throws {
    let stack = try Stack(.inMemory)
    #expect((\Note.tags.count as AnyKeyPath)._kvcKeyPathString == nil)
    #expect((\Note.title?.isEmpty as AnyKeyPath)._kvcKeyPathString == nil)
    #expect((\Draft.words[0] as AnyKeyPath)._kvcKeyPathString == nil)
    withExtendedLifetime(stack) {}
  }

  @Test("key path names are nil for a computed property")
  func computed() throws {
    let stack = try Stack(.inMemory)
    #expect(NSSortDescriptor(keyPath: \Note.summary, ascending: true).key == nil)
    withExtendedLifetime(stack) {}
  }

  @Test("a fetch can sort by a key path in every store", arguments: StoreKind.allCases)
  func sorting(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("b", stack.category("x"))
    stack.note("a", stack.category("y"))
    try stack.save()
    let titles = { (descriptor: NSSortDescriptor) in
      try stack.fetch(Note.self, sort: [descriptor], in: stack.newContext()).compactMap(\.title)
    }
    #expect(try titles(NSSortDescriptor(keyPath: \Note.title, ascending: true)) == ["a", "b"])
    #expect(try titles(NSSortDescriptor(keyPath: \Note.category?.name, ascending: true)) == ["b", "a"])
  }

  @Test("a property that only another version of the model has, has its key path name")
  func versions() throws {
    let models = [["title", "rating"], ["rating"]].map { names in
      let entity = NSEntityDescription()
      entity.name = "Chapter"
      entity.managedObjectClassName = NSStringFromClass(VersionedChapter.self)
      entity.properties = names.map { name in
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = .stringAttributeType
        return attribute
      }
      let model = NSManagedObjectModel()
      model.entities = [entity]
      return NSPersistentStoreCoordinator(managedObjectModel: model)
    }
    withExtendedLifetime(models) {
      #expect(NSSortDescriptor(keyPath: \VersionedChapter.title, ascending: true).key == "title")
      #expect(NSSortDescriptor(keyPath: \VersionedChapter.rating, ascending: true).key == "rating")
      #expect(NSSortDescriptor(keyPath: \VersionedChapter.loud, ascending: true).key == "title")
      #expect(NSSortDescriptor(keyPath: \VersionedChapter.named, ascending: true).key == "title")
    }
  }
}

final class VersionedChapter: NSManagedObject {
  var title: String? { managedValue("title") }
  var rating: String? { managedValue("rating") }
  var loud: String? { primitiveValue(forKey: "title") as? String }
  var named: String? { value(forKey: "title") as? String }
}
