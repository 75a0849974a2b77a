import Testing

@testable import Browser

@Suite("The contexts of templates")
struct TemplateContextTests {
  private static var pages: [any PageFields.Type] {
    [
      CataloguePageFields.self, ColumnPageFields.self, ColumnsPageFields.self, ComparedObjectPageFields.self,
      ComparedPageFields.self, ComparisonPageFields.self, ConflictsPageFields.self, DeletionPageFields.self,
      DiagramPageFields.self, DuplicatesPageFields.self, EditPageFields.self, EditsPageFields.self,
      ErrorPageFields.self, FacetPageFields.self, GridPageFields.self, HistoryPageFields.self,
      LinkPageFields.self, MissingPageFields.self, ModelDifferencePageFields.self, ModelPageFields.self,
      MomentsPageFields.self, ObjectPageFields.self, OrphansPageFields.self, RelatePageFields.self,
      SavingPageFields.self, SeedExportPageFields.self, SeedPageFields.self, TransactionPageFields.self,
      ValuePageFields.self,
    ]
  }
  /// The contexts of templates that are rendered without the frame of a page.
  private static var others: [any TemplateContext.Type] { [ComparisonProgressFields.self, ValueFields.self] }

  private let check: TemplateCheck = {
    let sources = Templates.sources.mapValues { String(decoding: $0, as: UTF8.self) }
    var check = TemplateCheck(sources: sources)
    for page in Self.pages {
      check.check(page.template, contexts: [FrameFields.self, page])
      if page.part != page.template { check.check(page.part, contexts: [page]) }
    }
    for other in Self.others { check.check(other.template, contexts: [other]) }
    return check
  }()

  @Test("Every tag of a template names a member of the context that renders it")
  func tags() { #expect(check.wrongTags == []) }

  @Test("Every member of a context is used by a template")
  func members() { #expect(check.unusedMembers == []) }

  @Test("A context renders every template")
  func templates() { #expect(check.visited == Set(Templates.sources.keys)) }

  private struct OuterFields: TemplateFields {
    let title: String
    let isShown: Bool
    let note: String?
    let rows: [InnerFields]
  }

  private struct InnerFields: TemplateFields {
    let name: String
  }

  @Test(
    "A template that does not match its context is reported",
    arguments: [
      ("{{{title}}}{{#isShown}}{{#note}}{{{note}}}{{/note}}{{/isShown}}{{#rows}}{{{name}}}{{/rows}}", [], []),
      (
        "{{{titel}}}{{#isShown}}{{#note}}{{{note}}}{{/note}}{{/isShown}}{{#rows}}{{{name}}}{{/rows}}", ["titel"],
        ["title"]
      ),
      (
        "{{{title}}}{{#isShown}}{{#note}}{{{note}}}{{/note}}{{/isShown}}{{{name}}}{{#rows}}{{/rows}}", ["name"],
        ["name"]
      ),
      ("{{{title}}}{{{isShown}}}{{#note}}{{{.}}}{{/note}}{{#rows}}{{{name}}}{{/rows}}", ["isShown"], []),
      ("{{{title}}}{{#isShown}}{{#note}}{{{note}}}{{/note}}{{/isShown}}{{#rows}}{{{.}}}{{/rows}}", ["."], ["name"]),
      ("{{{title}}}{{#isShown}}{{{note}}}{{/isShown}}{{#rows}}{{{name}}}{{/rows}}", ["note"], []),
      ("{{{title}}}{{#isShown}}{{^note}}{{{note}}}{{/note}}{{/isShown}}{{#rows}}{{{name}}}{{/rows}}", ["note"], []),
      ("{{{title}}}{{^isShown}}{{{note}}}{{#note}}{{/note}}{{/isShown}}{{#rows}}{{{name}}}{{/rows}}", ["note"], []),
      ("{{{title}}}{{#isShown}}{{#note}}{{#rows}}{{{name}}}{{{note}}}{{/rows}}{{/note}}{{/isShown}}", [], []),
      ("{{{title}}}{{#isShown}}{{^empty(rows)}}{{#note}}{{.}}{{/note}}{{/empty(rows)}}{{/isShown}}", [], ["name"]),
      (
        "{{{title}}}{{#isShown}}{{^empty(row)}}{{{name}}}{{/empty(row)}}{{/isShown}}", ["row", "name"],
        ["note", "rows"]
      ),
      ("{{{title}}}{{^isShown}}{{> other}}{{/isShown}}{{#rows}}{{{name}}}{{/rows}}", ["other"], ["note"]),
    ]
  )
  func mismatches(_ text: String, wrong: [String], unused: [String]) {
    var check = TemplateCheck(sources: ["made": text])
    check.check("made", contexts: [OuterFields.self])
    #expect(check.wrongTags.count == wrong.count)
    #expect(zip(check.wrongTags, wrong).allSatisfy { $0.contains($1) }, "\(check.wrongTags)")
    #expect(check.unusedMembers.map { $0.split(separator: ".").last.map(String.init) } == unused)
  }
}
