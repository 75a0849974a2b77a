import Foundation
import Testing

@testable import Browser

@Suite("The templates of pages")
struct TemplateTests {
  private struct NoFields: TemplateFields {}

  private struct TitleFields: TemplateFields {
    let pageTitle: String
  }

  @Test("Every template parses, and includes existing ones only", arguments: Templates.sources.keys.sorted())
  func inclusions(_ name: String) throws {
    _ = Templates.render(name, members: TemplateMembers(NoFields()))
    let text = String(decoding: try #require(Templates.sources[name]), as: UTF8.self)
    for match in text.matches(of: /{{>\s*([^}\s]*)\s*}}/) {
      #expect(Templates.sources[String(match.output.1)] != nil, "\(match.output.0)")
      #expect(match.output.0 == "{{> \(match.output.1)}}")
    }
  }

  @Test("A template contains the templates that it includes", arguments: 1...2)
  func page(_ time: Int) {
    let members = TemplateMembers(TitleFields(pageTitle: "The title of a page"))
    let page = Templates.render("error", members: members)
    #expect(page.contains("<title>The title of a page –") && page.contains("</html>"))
  }
}
