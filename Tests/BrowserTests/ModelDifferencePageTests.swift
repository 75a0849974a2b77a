import CoreData
import Foundation
import HTTPTypes
import TestModels
import Testing

@testable import Browser

@Suite("The page of the difference of two models")
struct ModelDifferencePageTests {
  /// The model of notes, with another type for a title, one entity removed and one added.
  static var changed: NSManagedObjectModel {
    let model = BrowsedStore.notes
    let note = model.entitiesByName["Note"]
    note?.attributesByName["title"]?.attributeType = .dateAttributeType
    let sticker = makeEntity("Sticker", makeAttribute("<b>shape"))
    model.entities = model.entities.filter { $0.name != "Attachment" } + [sticker]
    return model
  }

  private static func store(_ model: NSManagedObjectModel) throws -> BrowsedStore {
    var counterparts = StoreBrowser.Counterparts()
    counterparts.model = .init(model, name: "Other \"'<.momd")
    return try BrowsedStore(counterparts: counterparts)
  }

  @Test("The model difference lists each change, obstacles to a migration, and the hashes that differ")
  func changes() async throws {
    let store = try Self.store(Self.changed)
    #expect(try await store.page("/model").contains("href=\"/model/difference\""))
    let page = try await store.page("/model/difference")
    #expect(page.contains("A lightweight migration cannot do it: 1 of the changes stands in its way."))
    #expect(page.contains("<bdi>Other &quot;&#39;&lt;.momd</bdi>"))
    #expect(page.contains("mark-blocked") && page.contains("mark-added") && page.contains("mark-removed"))
    #expect(page.contains("values of one type cannot become those of another by themselves"))
    let hashes = try #require(page.components(separatedBy: "Version hashes that differ</h2>").last)
    for entity in ["Attachment", "Note", "Sticker"] {
      #expect(hashes.contains("<th scope=\"row\"><bdi>\(entity)</bdi></th>"), "\(entity)")
    }
    #expect(!hashes.contains("<bdi>Tag</bdi>"))
    #expect(hashes.contains("no such entity"))
  }

  @Test("The model difference describes each added property")
  func added() async throws {
    let model = BrowsedStore.notes
    let note = try #require(model.entitiesByName["Note"])
    let (mood, count) = (makeAttribute("mood"), makeAttribute("stars", .integer16AttributeType))
    (mood.isOptional, mood.defaultValue, count.isOptional) = (false, "calm", true)
    note.properties += [mood, count]
    let page = try await Self.store(model).page("/model/difference")
    #expect(page.contains("String, required, default &quot;calm&quot;"), "\(page)")
    #expect(page.contains("Integer 16, optional"))
  }

  @Test("The model difference of equal models says that there is none")
  func same() async throws {
    let page = try await Self.store(BrowsedStore.notes).page("/model/difference")
    #expect(page.contains("The models are the same.") && !page.contains("Version hashes that differ"))
  }

  @Test("Without another model there is no page of the difference")
  func none() async throws {
    let store = try BrowsedStore()
    #expect(try await !store.page("/model").contains("/model/difference"))
    _ = try await store.page("/model/difference", status: .notFound)
  }
}
