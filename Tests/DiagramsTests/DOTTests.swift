import Diagrams
import ModelFormats
import Testing

@Suite("Pictures of models for Graphviz")
struct DOTTests {
  @Test("each box is a table that is well-formed, whatever the names are", arguments: 1...6)
  func tables(seed: UInt64) throws {
    let document = RandomDocument.document(entities: 20, seed: seed, hostile: true)
    let text = ModelDiagram(document).dot()
    let tables = text.matches(of: /\[label=<(.*)>\];/)
    #expect(tables.count == 20)
    for table in tables { _ = try Picture(String(table.output.1)) }
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test("lines lead from row to row, inheritance from the parent")
  func lines() {
    var note = ModelDocument.Entity(name: "Note")
    var tags = ModelDocument.Relationship(name: "tags", destinationEntity: "Tag")
    (tags.isToMany, tags.inverseName, tags.inverseEntity) = (true, "note", "Tag")
    note.relationships = [.init(name: "next", destinationEntity: "Note"), tags]
    var tag = ModelDocument.Entity(name: "Tag")
    var owner = ModelDocument.Relationship(name: "note", destinationEntity: "Note")
    (owner.inverseName, owner.inverseEntity) = ("tags", "Note")
    tag.relationships = [owner]
    tag.parentEntity = "Note"
    var document = ModelDocument()
    document.entities = [note, tag]
    let text = ModelDiagram(document).dot()
    #expect(text.contains("entity0:r0 -> entity0:name [dir=both, arrowtail=none, arrowhead=normal];"))
    #expect(text.contains("entity0:r1 -> entity1:r0 [dir=both, arrowtail=normal, arrowhead=normalnormal];"))
    #expect(text.contains("entity0:name -> entity1:name [dir=back, arrowtail=empty];"))
  }

  @Test("titles and addresses cannot end their strings")
  func strings() {
    var document = ModelDocument()
    document.entities = [.init(name: "A")]
    var options = ModelDiagram.Options()
    options.title = "a\"];\\"
    options.url = { "\($0)?\"\\\n" }
    let text = ModelDiagram(document).dot(options)
    #expect(text.contains(#"label="a\"];\\", labelloc"#))
    #expect(text.contains(#"URL="A?\"\\\\u{A}"];"#))
  }
}
