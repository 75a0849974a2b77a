import Diagrams
import ModelFormats
import Testing

@Suite("Pictures whose boxes lead somewhere")
struct LinkTests {
  @Test("each entity's box is a link, and the picture is then not a single image")
  func links() throws {
    var document = ModelDocument()
    document.entities = ["Note", "A \"B\""].map { ModelDocument.Entity(name: $0) }
    #expect(ModelDiagram(document).svg().contains("role=\"img\""))
    var options = ModelDiagram.Options()
    options.title = "Notes"
    options.url = { "entities/\($0).html" }
    let picture = ModelDiagram(document).svg(options)
    let links = try Picture(picture).all("a")
    #expect(links.map { $0.attributes["href"] } == ["entities/Note.html", "entities/A \"B\".html"])
    #expect(links.map { $0.attributes["aria-label"] } == ["Note", "A \"B\""])
    #expect(picture.contains("role=\"group\""))
  }
}
