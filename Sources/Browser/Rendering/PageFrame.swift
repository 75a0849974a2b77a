import Foundation
import HTTPTypes
import StoreExploration
import Texts

/// The parts that all pages share: the name of the store and the links to other pages.
struct PageFrame: Sendable {
  enum Tab: String, CaseIterable {
    case entities = "Entities"
    case model = "Model"
    case diagram = "Diagram"
    case history = "History"
    case comparison = "Comparison"
  }

  /// The name of the store, as the user knows it.
  let name: String
  let address: PageAddress
  let entities: [CatalogueEntity]
  /// The tabs of the pages that exist for the store.
  let tabs: [Tab]
  /// False where the pages use a model other than the one that the store was made with.
  let hasOwnModel: Bool
  /// `nil` where the pages only read.
  let writing: BrowserWriting?
  let counts: KnownCounts
  /// Makes links that let other people in; `nil` where the pages are part of another server.
  let links: PageLinks?

  /// Returns a page from the fields of its content and of the frame.
  func page(
    _ template: String,
    title: String,
    tab: Tab?,
    entity: String? = nil,
    content: TemplateFields
  ) -> String {
    Templates.render(template, fields: fields(title: title, tab: tab, entity: entity).merging(content))
  }

  func errorPage(_ problem: PageProblem) -> String {
    page(
      "error",
      title: problem.title,
      tab: nil,
      content: ["problemTitle": problem.title, "problem": problem.text, "status": "\(problem.status.code)"]
    )
  }

  private var scripts: [String] {
    ["browser.js", "predicate.js", "parts.js", "finding.js"] + (writing == nil ? [] : ["writing.js"])
  }

  private func tabAddress(_ tab: Tab) -> String {
    switch tab {
    case .entities: address.home
    case .model: address.model
    case .diagram: address.diagram
    case .history: address.history
    case .comparison: address.comparison
    }
  }

  private func fields(title: String, tab: Tab?, entity: String?) -> TemplateFields {
    let known = counts.all()
    return [
      "pageTitle": VisibleText(line: title, atMost: 200).description,
      "storeName": VisibleText(line: name, atMost: 200).description,
      "home": address.home,
      "style": address.asset("style.css"),
      "icon": address.asset("icon.svg"),
      "findingStyle": address.asset("finding.css"),
      "writingStyle": writing == nil ? nil : address.asset("writing.css"),
      "formToken": writing?.token.text,
      "strip": strip,
      "isWriting": writing != nil,
      "hasOtherModel": !hasOwnModel,
      "scripts": scripts.map { name -> TemplateFields in
        ["scriptAddress": address.asset(name)]
      },
      "linkAddress": links == nil ? nil : address.link,
      "tabs": Tab.allCases.map { each -> TemplateFields in
        [
          "tabName": each.rawValue,
          "tabAddress": tabAddress(each),
          "tabIsCurrent": each == tab,
          "tabIsEmpty": !tabs.contains(each),
        ]
      },
      "changes": address.changes,
      "sideCounts": entities.allSatisfy { known[$0.name] != nil } ? nil : address.counts,
      "sidebar": entities.map { each -> TemplateFields in
        [
          "sideName": VisibleText(line: each.name, atMost: 200).description,
          "sideAddress": address.entity(each.name),
          "sideIsCurrent": each.name == entity,
          "sideDepth": "\(min(each.depth, 4))",
          "sideCount": known[each.name].map(BrowserPages.number),
          "sideKey": PageAddress.encoded(each.name),
        ]
      },
    ]
  }
}
