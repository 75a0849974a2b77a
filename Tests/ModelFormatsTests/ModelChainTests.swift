import Foundation
import ModelFormats
import TestSupport
import Testing

@Suite("Versions of a model that keep their renaming identifiers")
struct ModelChainTests {
  private static func document(_ entities: String) throws -> ModelDocument {
    try ModelDocument(contents: Data("<model>\(entities)</model>".utf8))
  }

  private static func documents(_ chain: ModelChain) throws -> [ModelDocument] {
    try chain.versions.indices.map { index in
      let document = try document(chain.contents(of: index))
      try document.check()
      return document
    }
  }

  /// Expects that each thing is matched with the older thing of the same number.
  private static func expectMatches(
    _ chain: ModelChain,
    _ documents: [ModelDocument],
    from old: Int,
    to new: Int,
    _ seed: UInt64
  ) {
    let correspondence = ModelCorrespondence(from: documents[old], to: documents[new])
    let (former, version) = (chain.versions[old], chain.versions[new])
    var losesSomething = former.entities.contains { version.entity($0.number) == nil }
    var entities: [String: String] = [:]
    for entity in version.entities {
      guard let before = former.entity(entity.number) else { continue }
      entities[entity.name] = before.name
      let there = Dictionary(uniqueKeysWithValues: before.columns.map { ($0.number, $0) })
      let kept = entity.columns.compactMap { column in there[column.number].map { (column, $0) } }
      var columns = Dictionary(uniqueKeysWithValues: kept.map { ($0.name, $1.name) })
      columns["key"] = "key"
      let found = correspondence.properties(of: entity.name)
      #expect(found == columns, "seed \(seed), version \(old) to \(new), entity \(entity.name)")
      if kept.count < before.columns.count { losesSomething = true }
      for (column, former) in kept {
        let elements = Set(column.elements.map(\.number))
        if former.elements.contains(where: { !elements.contains($0.number) }) { losesSomething = true }
      }
    }
    #expect(correspondence.entities == entities, "seed \(seed), version \(old) to \(new)")
    #expect(ModelDifference(correspondence).isLightweight, "seed \(seed), version \(old) to \(new)")
    #expect(ModelLoss(correspondence).isEmpty != losesSomething, "seed \(seed), version \(old) to \(new)")
  }

  @Test("Renaming identifiers identify each thing in the next version, even if names are reused")
  func next() throws {
    for seed in 0..<UInt64(Soak.rounds(200)) {
      var chain = ModelChain(seed: seed, reusesNames: true)
      for _ in 0..<8 { chain.addVersion() }
      let documents = try Self.documents(chain)
      for index in documents.indices.dropFirst() {
        Self.expectMatches(chain, documents, from: index - 1, to: index, seed)
      }
    }
  }

  @Test("Renaming identifiers identify each thing in any later version, if no name is reused")
  func later() throws {
    for seed in 0..<UInt64(Soak.rounds(50)) {
      var chain = ModelChain(seed: seed, reusesNames: false)
      for _ in 0..<6 { chain.addVersion() }
      let documents = try Self.documents(chain)
      for new in documents.indices {
        for old in 0...new { Self.expectMatches(chain, documents, from: old, to: new, seed) }
      }
    }
  }

  private static func text(_ name: String, _ identifier: String? = nil) -> String {
    let identifier = identifier.map { " elementID=\"\($0)\"" } ?? ""
    return "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"\(identifier)/>"
  }

  /// The older names of an entity's attributes and of a composite's elements, which must agree.
  private static func names(_ old: String, _ new: String) throws -> [String: String] {
    let correspondence = try ModelCorrespondence(
      from: document("<entity name=\"Note\">\(old)</entity>"),
      to: document("<entity name=\"Note\">\(new)</entity>")
    )
    return correspondence.properties(of: "Note")
  }

  @Test("A thing with the same name and identifier is matched with itself before any other rule")
  func itself() throws {
    let both = Self.text("name", "title") + Self.text("title")
    let same = ["name": "name", "title": "title"]
    #expect(try Self.names(both, both + Self.text("age")) == same)
    #expect(try Self.names(both, Self.text("title") + Self.text("name", "title")) == same)
    #expect(try Self.names(Self.text("name", "title"), both) == ["name": "name"])
    #expect(try Self.names(Self.text("title"), both) == ["title": "title"])
  }

  @Test("Equal identifiers match before an identifier with a name, and that before equal names")
  func precedence() throws {
    let (old, new) = (Self.text("name", "title"), Self.text("heading", "title"))
    #expect(try Self.names(old, new) == ["heading": "name"])
    // Two older attributes have the identifier. The match is the one that is also named like it.
    #expect(try Self.names(old + Self.text("title"), new) == ["heading": "title"])
    // Each of two kept identifiers is also the name of the other attribute, but leads to its own attribute.
    let crossed = Self.text("b", "a") + Self.text("c", "b")
    #expect(try Self.names(crossed, Self.text("x", "b") + Self.text("y", "a")) == ["x": "c", "y": "b"])
    // An identifier may be the previous name of an attribute that has an identifier of its own.
    #expect(try Self.names(old, Self.text("heading", "name")) == ["heading": "name"])
    #expect(try Self.names(Self.text("a"), Self.text("a", "gone")) == ["a": "a"])
  }

  @Test("Each older thing is matched once")
  func once() throws {
    let new = Self.text("one", "title") + Self.text("other", "title")
    #expect(try Self.names(Self.text("title"), new) == ["one": "title"])
  }
}
