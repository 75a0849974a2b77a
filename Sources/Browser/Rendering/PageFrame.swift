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
  func page(_ content: some PageFields, title: String, tab: Tab?, entity: String? = nil) -> String {
    Templates.page(content, frame: fields(title: title, tab: tab, entity: entity))
  }

  func errorPage(_ problem: PageProblem) -> String {
    let content = ErrorPageFields(problemTitle: problem.title, problem: sentence(problem.text))
    return page(content, title: problem.title, tab: nil)
  }

  private var scripts: [String] {
    ResourceFile.scripts.filter { writing != nil || $0 != "writing.js" }
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

  private func fields(title: String, tab: Tab?, entity: String?) -> FrameFields {
    let known = counts.all()
    return FrameFields(
      pageTitle: VisibleText(line: title, atMost: 200).description,
      storeName: VisibleText(line: name, atMost: 200).description,
      home: address.home,
      style: address.asset("style.css"),
      icon: address.asset("icon.svg"),
      findingStyle: address.asset("finding.css"),
      changes: address.changes,
      writingStyle: writing == nil ? nil : address.asset("writing.css"),
      formToken: writing?.token.text,
      linkAddress: links == nil ? nil : address.link,
      sideCounts: entities.allSatisfy { known[$0.name] != nil } ? nil : address.counts,
      isWriting: writing != nil,
      hasOtherModel: !hasOwnModel,
      strip: strip,
      sidebar: entities.map { each in
        SidebarFields(
          sideName: VisibleText(line: each.name, atMost: 200).description,
          sideAddress: address.entity(each.name),
          sideDepth: "\(min(each.depth, 4))",
          sideKey: PageAddress.encoded(each.name),
          sideCount: known[each.name].map(BrowserPages.number),
          sideIsCurrent: each.name == entity
        )
      },
      scripts: scripts.map(address.asset),
      tabs: Tab.allCases.map { each in
        TabFields(
          tabName: each.rawValue,
          tabAddress: tabAddress(each),
          tabIsCurrent: each == tab,
          tabIsEmpty: !tabs.contains(each)
        )
      }
    )
  }
}
