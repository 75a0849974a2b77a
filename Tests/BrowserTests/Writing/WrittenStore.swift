import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import Browser

extension BrowsedStore {
  /// A store with writable pages: a note by Ada, a person without notes, and a tag.
  static func written(
    model: NSManagedObjectModel = writtenModel,
    type: String = NSSQLiteStoreType
  ) throws -> BrowsedStore {
    try BrowsedStore(type: type, model: model, allowsWriting: true) { context in
      let ada = insert("Person", ["name": "Ada"], in: context)
      try context.obtainPermanentIDs(for: [ada])
      _ = insert("Note", ["title": "Milk", "rating": 3, "author": ada], in: context)
      _ = insert("Tag", ["name": "kitchen"], in: context)
    }
  }

  /// The notes, with a limit for ratings, and attachments that are deleted with their note.
  static var writtenModel: NSManagedObjectModel {
    let model = notes
    model.entitiesByName["Person"]?.relationshipsByName["notes"]?.deleteRule = .cascadeDeleteRule
    model.entitiesByName["Note"]?.attributesByName["rating"]?.setValidationPredicates(
      [NSPredicate(format: "SELF <= 5")],
      withValidationWarnings: ["five are the best"]
    )
    return model
  }

  /// The token in the forms of a page.
  func formToken(_ path: String = "/entity/Note/1/edit") async throws -> String {
    let page = try await page(path)
    let match = try #require(page.firstMatch(of: /name="token" value="([0-9a-f]{32})"/))
    return String(match.output.1)
  }

  static func form(_ items: [(String, String)]) -> String {
    items.map { "\(PageAddress.encoded($0.0))=\(PageAddress.encoded($0.1))" }.joined(separator: "&")
  }

  static var formFields: HTTPFields {
    [.cookie: cookie, .contentType: "application/x-www-form-urlencoded"]
  }

  /// Sends a form with its token.
  @discardableResult
  func submit(
    _ path: String,
    _ items: [(String, String)] = [],
    status: HTTPResponse.Status = .seeOther
  ) async throws -> TestResponse {
    let body = Self.form([("token", try await formToken("/seed"))] + items)
    let response = try await ask(path, method: .post, headers: Self.formFields, body: body)
    #expect(response.status == status, "\(path): \(String(buffer: response.body).prefix(2_000))")
    return response
  }

  /// The number of a property's field in the form of a page.
  func field(_ name: String, at path: String = "/entity/Note/1/edit") async throws -> Int {
    let page = try await page(path)
    let label = "<bdi>\(name)</bdi>"
    let start = try #require(page.range(of: label), "\(name)")
    let before = page[..<start.lowerBound]
    let match = try #require(before.matches(of: /for="field-([0-9]+)"/).last)
    return try #require(Int(match.output.1))
  }

  /// The stored value of the first object of an entity.
  func stored(_ entity: String, _ key: String) throws -> String? {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      let value = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).first?.value(
        forKey: key
      )
      return value.map { "\($0)" }
    }
  }

  func count(_ entity: String) throws -> Int {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }
  }
}
