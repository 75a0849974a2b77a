import CoreData
import Foundation
import Testing

@testable import StoreEditing

@Suite("Staged saves that wait for another program")
struct WaitingSaveTests {
  /// The types of stores that another program can write at the same time.
  private static let kinds = EditedKind.allCases.filter { $0 == .sqlite || $0 == .postgreSQL }

  /// A session with a staged title, whose save waits for another program.
  private static func waiting(_ kind: EditedKind) async throws -> (
    EditedStore, EditedObject, OtherProgram, StagedSave
  ) {
    let store = try EditedStore(kind)
    let (recipe, program) = try await staged(in: store, kind: kind)
    let save = try store.session.beginSave()
    _ = await save.untilNews(within: .seconds(86_400))
    #expect(save.isWaiting && !save.hasEnded)
    return (store, recipe, program, save)
  }

  /// A staged title of an object, and another program that has the lock which a save needs.
  private static func staged(in store: EditedStore, kind: EditedKind) async throws -> (
    EditedObject, OtherProgram
  ) {
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    try await store.session.stage(["title": FieldInput("Stew")], of: recipe)
    return (recipe, try await OtherProgram(changing: recipe, of: store, kind: kind))
  }

  @Test("An edit right after the beginning of a save that has to wait is refused", arguments: kinds)
  func firstSecond(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let (recipe, program) = try await Self.staged(in: store, kind: kind)
    let save = try store.session.beginSave()
    let error = await #expect(throws: EditingFailure.self) {
      try await store.session.stage(["title": FieldInput("Broth")], of: recipe)
    }
    #expect(error?.code == .saveInProgress)
    program.end()
    _ = await save.cancel()
  }

  @Test("A session reads its staged changes while a save waits, and refuses edits", arguments: kinds)
  func reading(kind: EditedKind) async throws {
    let (store, recipe, program, save) = try await Self.waiting(kind)
    #expect(try await store.session.review().count == 1)
    #expect(try await store.field("title", of: recipe).text == "Stew")
    let error = await #expect(throws: EditingFailure.self) {
      try await store.session.stage(["title": FieldInput("Broth")], of: recipe)
    }
    #expect(error?.code == .saveInProgress)
    #expect(try store.session.beginSave() === save)
    #expect(throws: EditingFailure.self) {
      _ = try store.session.beginSave(deciding: [recipe: .whole(.mine)])
    }
    program.end()
    _ = await save.cancel()
  }

  @Test("A cancelled save keeps the staged changes, and a later save writes them", arguments: kinds)
  func cancel(kind: EditedKind) async throws {
    let (store, recipe, program, save) = try await Self.waiting(kind)
    guard case .cancelled = await save.cancel() else {
      Issue.record("The save has another end than its cancellation: \(save.state)")
      return program.end()
    }
    #expect(store.session.summary.count == 1)
    #expect(try await store.field("title", of: recipe).text == "Stew")
    program.end()
    #expect(try store.text(recipe, "title") == "Soup")
    #expect(try await store.session.save().isSaved)
    #expect(try store.text(recipe, "title") == "Stew")
  }

  @Test("A save that waits is made when the other program ends its transaction", arguments: kinds)
  func release(kind: EditedKind) async throws {
    let (store, recipe, program, save) = try await Self.waiting(kind)
    program.end()
    while !save.hasEnded { await Task.yield() }
    guard case .ended(let outcome) = save.state else {
      Issue.record("The save has no result: \(save.state)")
      return
    }
    #expect(outcome.isSaved)
    #expect(try store.text(recipe, "title") == "Stew")
    #expect(try store.text(recipe, "text") == nil)
    #expect(store.session.summary == StagedSummary())
  }
}
