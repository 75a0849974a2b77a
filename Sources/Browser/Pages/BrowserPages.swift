import CoreData
import Foundation
import Hummingbird
import StoreExploration

/// The values that the pages of one store share.
struct BrowserPages: Sendable {
  let explored: ExploredStore
  let catalogue: StoreCatalogue
  let frame: PageFrame
  let uses: PredicateUses
  let columnUses: ColumnUses
  let counts: KnownCounts
  let timeline: Timeline
  /// The comparison with another store; `nil` for none.
  let comparison: BrowsedComparison?
  /// The model that the store's own model is compared with; `nil` for none.
  let otherModel: StoreBrowser.Counterparts.Model?
  /// `nil` where the pages only read.
  let writing: BrowserWriting?
  /// The time limit for each read that a page needs, which the program or the user chose.
  let readLimit: Duration
  /// The time limit for a count that a page can omit, and for the search for an object's neighbors.
  let countLimit: Duration

  /// The usual time limit for a count that a page can omit.
  static let usualCountLimit = Duration.milliseconds(60)

  init(
    explored: ExploredStore,
    name: String,
    base: String,
    uses: PredicateUses,
    comparison: BrowsedComparison? = nil,
    otherModel: StoreBrowser.Counterparts.Model? = nil,
    writing: BrowserWriting?,
    columnUses: ColumnUses = ColumnUses(),
    counts: KnownCounts = KnownCounts(),
    links: PageLinks? = nil,
    readLimit: Duration,
    countLimit: Duration = BrowserPages.usualCountLimit
  ) {
    self.readLimit = readLimit
    self.countLimit = countLimit
    self.columnUses = columnUses
    self.counts = counts
    self.explored = explored
    self.comparison = comparison
    self.otherModel = otherModel
    catalogue = StoreCatalogue(explored)
    self.uses = uses
    self.writing = writing
    timeline = Timeline(in: explored.coordinator, storeIdentifier: explored.store.identifier)
    let hasHistory = timeline.hasHistory
    frame = PageFrame(
      name: name,
      address: PageAddress(base: base),
      entities: catalogue.entities,
      tabs: PageFrame.Tab.allCases.filter { tab in
        switch tab {
        case .history: hasHistory
        case .comparison: comparison != nil
        default: true
        }
      },
      hasOwnModel: explored.hasOwnModel,
      writing: writing,
      counts: counts,
      links: links
    )
  }

  var address: PageAddress { frame.address }

  func entity(_ request: Request, parameters: Parameters) throws -> String {
    let name = try parameters.require("entity")
    return try explored.entity(name.removingPercentEncoding ?? name).name ?? ""
  }

  func attribute(_ parameters: Parameters) throws -> String {
    let attribute = try parameters.require("attribute")
    return attribute.removingPercentEncoding ?? attribute
  }

  func key(_ parameters: Parameters) throws -> Int64 {
    let key = try parameters.require("key")
    // The address must contain the key in the same form as the links of pages.
    if let number = Int64(key), "\(number)" == key, number > 0 { return number }
    throw HTTPError(.notFound, message: "The address has no key of an object.")
  }
}

extension Request {
  var queryItems: QueryItems { QueryItems(uri.query ?? "") }
}
