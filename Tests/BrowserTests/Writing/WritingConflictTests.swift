import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("The page of conflicts")
struct WritingConflictTests {
  /// A store whose note was changed both by the user and by another context, and the page of the conflict.
  private static func conflict() async throws -> (store: BrowsedStore, page: String) {
    let store = try BrowsedStore.written()
    let title = try await store.field("title")
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", "Mine")])
    try store.change(by: "somebody") { $0.setValue("Theirs", forKey: "title") }
    #expect(try await store.submit("/edits/save").headers[.location] == "/edits/conflicts")
    return (store, try await store.page("/edits/conflicts"))
  }

  private static func decisions(_ page: String, _ side: String) throws -> [(String, String)] {
    let stamp = try #require(page.firstMatch(of: /name="stamp" value="([0-9a-f]+)"/)).output.1
    let names = page.matches(of: /type="radio" name="(side[0-9.]+)" value="mine"/).map { String($0.output.1) }
    #expect(names.count == 1)
    return [("stamp", String(stamp))] + names.map { ($0, side) }
  }

  @Test("The page of conflicts shows both sides, and resolves for either", arguments: ["mine", "theirs"])
  func settle(side: String) async throws {
    let (store, page) = try await Self.conflict()
    for text in ["Milk", "Mine", "Theirs"] { #expect(page.contains("<bdi class=\"line\">\(text)</bdi>")) }
    #expect(try await store.page("/").contains("/edits/conflicts"))
    let response = try await store.submit("/edits/conflicts", try Self.decisions(page, side))
    #expect(response.headers[.location] == "/edits?did=save")
    #expect(try store.stored("Note", "title") == side.capitalized)
    #expect(try await store.page("/edits/conflicts").contains("There are no conflicts."))
  }

  @Test("The page of conflicts accepts no decision about values that it has not shown")
  func outdated() async throws {
    let (store, page) = try await Self.conflict()
    let decisions = try Self.decisions(page, "mine")
    try store.change(by: "somebody") { $0.setValue("Once more", forKey: "title") }
    let again = try await store.submit("/edits/conflicts", decisions)
    #expect(again.headers[.location] == "/edits/conflicts")
    #expect(try await store.page("/edits/conflicts").contains("Once more"))
    try await store.submit("/edits/conflicts", decisions, status: .unprocessableContent)
    #expect(try store.stored("Note", "title") == "Once more")
  }

  @Test("The page of conflicts can discard changes of objects that others have deleted")
  func deleted() async throws {
    let store = try BrowsedStore.written()
    let title = try await store.field("title")
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", "Mine")])
    try store.change(by: "somebody") { $0.managedObjectContext?.delete($0) }
    try await store.submit("/edits/save")
    let page = try await store.page("/edits/conflicts")
    #expect(page.contains("Another user or program has deleted the object."))
    let stamp = try #require(page.firstMatch(of: /name="stamp" value="([0-9a-f]+)"/)).output.1
    let items = [("stamp", String(stamp)), ("whole.0", "theirs")]
    #expect(try await store.submit("/edits/conflicts", items).headers[.location] == "/edits?did=save")
    #expect(try store.count("Note") == 0)
  }
}
