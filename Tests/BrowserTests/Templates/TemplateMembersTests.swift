import Testing

@testable import Browser

@Suite("The members of a template's context")
struct TemplateMembersTests {
  private struct Fields: TemplateFields {
    let text: String
    let isTrue: Bool
    let absentText: String?
    let presentText: String?
    let markup: EscapedText
    let absentRow: Row?
    let row: Row?
    let rows: [Row]
    let texts: [String]
  }

  private struct Row: TemplateFields {
    let name: String
  }

  private let members = TemplateMembers(
    Fields(
      text: "<a>",
      isTrue: true,
      absentText: nil,
      presentText: "&",
      markup: EscapedText(markup: "<b>"),
      absentRow: nil,
      row: Row(name: "one"),
      rows: [Row(name: "\"")],
      texts: ["'"]
    )
  )

  private func text(_ value: Any?) -> String? { (value as? EscapedText)?.renderText }

  @Test("A template receives every text escaped, and markup of the pages as it is")
  func texts() throws {
    #expect(text(members.child(named: "text")) == "&lt;a&gt;")
    #expect(text(members.child(named: "presentText")) == "&amp;")
    #expect(text(members.child(named: "markup")) == "<b>")
    #expect(text((members.child(named: "texts") as? [Any])?.first) == "&#39;")
    let rows = try #require(members.child(named: "rows") as? [Any])
    #expect(text((rows.first as? TemplateMembers)?.child(named: "name")) == "&quot;")
    #expect(text((members.child(named: "row") as? TemplateMembers)?.child(named: "name")) == "one")
    #expect(members.child(named: "isTrue") as? Bool == true)
  }

  @Test("An absent value is false, so that a template does not use a value of an outer scope")
  func absences() {
    #expect(members.child(named: "absentText") as? Bool == false)
    #expect(members.child(named: "absentRow") as? Bool == false)
    #expect(members.child(named: "unknown") == nil)
  }
}
