import ModelFormats
import Testing

@testable import Diagrams

@Suite("Pictures of models as SVG")
struct PictureTests {
  @Test("a picture of any names is well-formed, and shows each as text", arguments: 1...12)
  func hostileNames(seed: UInt64) throws {
    let document = RandomDocument.document(entities: 24, seed: seed, hostile: true)
    var options = ModelDiagram.Options()
    options.title = RandomDocument.hostileNames[Int(seed)]
    options.url = { "entity?name=\($0)&a=\"'<>" }
    let picture = try Picture(ModelDiagram(document).svg(options))
    #expect(picture.elements("g", "dg-entity").count == 24)
    #expect(picture.all("script").isEmpty)
    for (entity, group) in zip(document.entities, picture.elements("g", "dg-entity")) {
      let name = group.attributes["data-entity"] ?? ""
      #expect(!name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
      if !entity.name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value > 0x7E }) {
        #expect(name == entity.name)
      }
    }
  }

  @Test("each identifier occurs once, and a style sheet can name it", arguments: 1...6)
  func identifiers(seed: UInt64) throws {
    var document = RandomDocument.document(entities: 24, seed: seed, hostile: true)
    document.entities.append(document.entities[0])
    var options = ModelDiagram.Options()
    options.idPrefix = "9 <a\" b"
    let picture = try Picture(ModelDiagram(document).svg(options))
    let identifiers = picture.elements.compactMap { $0.attributes["id"] }
    #expect(identifiers.count == 26)
    #expect(Set(identifiers).count == identifiers.count)
    for identifier in identifiers { #expect(identifier.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil) }
  }

  @Test("every text is inside of the picture, and every row inside of its box", arguments: 1...8)
  func textsAreInside(seed: UInt64) throws {
    let document = RandomDocument.document(entities: 30, seed: seed, hostile: seed > 4)
    let picture = try Picture(ModelDiagram(document).svg())
    let size = try #require(picture.elements.first)
    let (width, height) = (size.number("width"), size.number("height"))
    for text in picture.all("text") {
      let room = text.width
      let left = text.number("x") - (text.attributes["text-anchor"] == "end" ? room : 0)
      #expect(left >= 0 && left + room <= width, "\(text.text)")
      #expect(text.number("y") > 8 && text.number("y") < height)
    }
    for group in picture.elements("g", "dg-entity") {
      let inside = picture.elements[group.index..<group.end]
      let box = try #require(inside.first { $0.attributes["class"] == "dg-box" })
      let (left, right) = (box.number("x"), box.number("x") + box.number("width"))
      var rows: [Double: [(left: Double, right: Double)]] = [:]
      for text in inside where text.name == "text" {
        let start = text.number("x") - (text.attributes["text-anchor"] == "end" ? text.width : 0)
        #expect(start >= left && start + text.width <= right, "\(text.text)")
        #expect(text.number("y") > box.number("y"))
        #expect(text.number("y") < box.number("y") + box.number("height"))
        rows[text.number("y"), default: []].append((start, start + text.width))
      }
      for row in rows.values where row.count == 2 {
        let sorted = row.sorted { $0.left < $1.left }
        #expect(sorted[0].right <= sorted[1].left, "the texts of a row overlap")
      }
    }
  }

  @Test("a pair of inverse relationships is one line, with an arrowhead for each end")
  func inversePair() throws {
    var note = ModelDocument.Entity(name: "Note")
    var tags = ModelDocument.Relationship(name: "tags", destinationEntity: "Tag")
    (tags.isToMany, tags.inverseName, tags.inverseEntity) = (true, "note", "Tag")
    note.relationships = [tags]
    var tag = ModelDocument.Entity(name: "Tag")
    var owner = ModelDocument.Relationship(name: "note", destinationEntity: "Note")
    (owner.inverseName, owner.inverseEntity) = ("tags", "Note")
    tag.relationships = [owner]
    var document = ModelDocument()
    document.entities = [note, tag]
    let picture = try Picture(ModelDiagram(document).svg())
    let lines = picture.elements("g", "dg-line").filter { $0.attributes["data-from"] != nil }
    #expect(lines.count == 1)
    #expect(lines[0].attributes["data-name"] == "tags")
    #expect(lines[0].attributes["data-inverse"] == "note")
    let heads = picture.elements[lines[0].index..<lines[0].end].filter { $0.attributes["class"] == "dg-head" }
    // There is one arrowhead at Note, and there are two at Tag.
    #expect(heads.map { ($0.attributes["d"] ?? "").filter { $0 == "M" }.count } == [1, 2])
  }

  @Test("a picture has a style sheet unless the page has its own, and no element has a style attribute")
  func styles() throws {
    let diagram = ModelDiagram(RandomDocument.document(entities: 5, seed: 1))
    var options = ModelDiagram.Options()
    let whole = diagram.svg(options)
    #expect(whole.contains("prefers-color-scheme:dark"))
    #expect(!whole.contains("style="))
    options.includesStyleSheet = false
    #expect(!diagram.svg(options).contains("<style"))
    options.includesStyleSheet = true
    options.colors = .dark
    #expect(!diagram.svg(options).contains("prefers-color-scheme"))
  }

  @Test("a picture leaves out and counts some of many attributes, unless all are requested")
  func attributeLimit() throws {
    var entity = ModelDocument.Entity(name: "Wide")
    entity.attributes = (1...40).map { ModelDocument.Attribute(name: "a\($0)", type: .string) }
    var document = ModelDocument()
    document.entities = [entity]
    var options = ModelDiagram.Options()
    let some = ModelDiagram(document).svg(options)
    #expect(some.contains(">… 28 more<"))
    #expect(!some.contains(">a13<"))
    options.attributeLimit = nil
    let all = ModelDiagram(document).svg(options)
    #expect(all.contains(">a40<"))
    #expect(!all.contains(" more<"))
  }

  @Test("a picture of chosen entities also has their neighbors, and nothing else")
  func selection() throws {
    var document = ModelDocument()
    document.entities = ["A", "B", "C", "D"].map { ModelDocument.Entity(name: $0) }
    for (index, name) in ["B", "C", "D"].enumerated() {
      document.entities[index].relationships = [.init(name: "next", destinationEntity: name)]
    }
    func names(_ chosen: Set<String>, _ distance: Int) throws -> [String] {
      let text = ModelDiagram(document, entities: chosen, neighborDistance: distance).svg()
      return try Picture(text).elements("g", "dg-entity").compactMap { $0.attributes["data-entity"] }
    }
    #expect(try names(["A"], 0) == ["A"])
    #expect(try names(["A"], 1) == ["A", "B"])
    #expect(try names(["B"], 1) == ["A", "B", "C"])
    #expect(try names(["A"], 9) == ["A", "B", "C", "D"])
    #expect(try names(["none"], 1).isEmpty)
  }

  @Test("a model without entities, and one whose parents go round, are drawn all the same")
  func oddModels() throws {
    #expect(try Picture(ModelDiagram(ModelDocument()).svg()).elements("g", "dg-entity").isEmpty)
    var document = ModelDocument()
    document.entities = ["A", "B", "C"].map { ModelDocument.Entity(name: $0) }
    for (index, parent) in ["B", "C", "A"].enumerated() { document.entities[index].parentEntity = parent }
    document.entities[0].relationships = [.init(name: "self", destinationEntity: "A")]
    #expect(try Picture(ModelDiagram(document).svg()).elements("g", "dg-inheritance").count >= 3)
  }
}
