import Foundation
import ModelFormats
import Testing

@testable import PerennialCommands

@Suite("Suspected renames without an identifier")
struct RenameSuspicionTests {
  private func pairs(_ before: String, _ after: String) throws -> [RenameSuspicion.Pair] {
    let documents = try [before, after].map { attributes in
      try ModelDocument(contents: Data(GuardedRepository.model(attributes).utf8))
    }
    return RenameSuspicion(from: documents[0], to: documents[1]).pairs
  }

  private func attribute(_ name: String, _ type: String = "String") -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)"/>"#
  }

  @Test("a removed attribute and an added one of its type are a suspected rename")
  func single() throws {
    let found = try pairs(attribute("title"), attribute("heading"))
    #expect(
      found.map(\.former) == ["title"] && found.map(\.name) == ["heading"] && found.map(\.entity) == ["Note"]
    )
  }

  @Test("attributes of different types, or without a counterpart, are not suspected")
  func none() throws {
    #expect(try pairs(attribute("title"), attribute("titleText", "Date")).isEmpty)
    #expect(try pairs(attribute("title"), "").isEmpty)
    #expect(try pairs("", attribute("title")).isEmpty)
    let identified = #"<attribute name="heading" elementID="title" optional="YES" attributeType="String"/>"#
    #expect(try pairs(attribute("title"), identified).isEmpty)
  }

  @Test("of several added attributes of a type, only the one with a similar name is suspected")
  func several() throws {
    let after = attribute("colour") + attribute("titleText") + attribute("place")
    #expect(try pairs(attribute("title") + attribute("x"), after).map(\.name) == ["titleText"])
  }

  @Test("an entity that is gone and a new one with most of its properties are a pair")
  func entity() throws {
    let before = try ModelDocument(contents: Data(GuardedRepository.notes.utf8))
    var after = before
    after.entities[0].name = "Entry"
    let found = RenameSuspicion(from: before, to: after).pairs
    #expect(
      found.map(\.kind) == ["entity"] && found.map(\.former) == ["Note"] && found.map(\.name) == ["Entry"]
    )
    after.entities[0].attributes = [.optional("other", .string)]
    #expect(RenameSuspicion(from: before, to: after).pairs.isEmpty)
  }

  @Test(
    "names are similar if half of the letters can stay",
    arguments: [
      ("title", "titleNew", true), ("title", "Title", true), ("a", "b", false), ("colour", "place", false),
    ]
  )
  func names(name: String, other: String, isAlike: Bool) {
    #expect(RenameSuspicion.resembles(name, other: other) == isAlike)
  }
}
