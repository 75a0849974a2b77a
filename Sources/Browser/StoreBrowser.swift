public import CoreData
import Diagrams
import Foundation
public import Hummingbird
import StoreEditing
import StoreExploration

/// Web pages that show a store as objects: its entities, their objects, relationships and values.
///
/// A server mounts them in a group of its router, whose middleware signs users in:
///
/// ```swift
/// let router = Router()
/// let browser = try StoreBrowser(container.persistentStoreCoordinator, name: "Notes")
/// browser.addRoutes(to: router.group("admin/store").add(middleware: SignIn()), at: "/admin/store")
/// ```
///
/// The pages only read, unless writing is allowed. They show the whole store to every signed-in user.
///
/// If writing is allowed, all signed-in users share the unsaved changes: each of them sees the changes of all
/// others, and saves or discards all changes at once. The server must pass on the header fields `Host`, `Origin`
/// and `Sec-Fetch-Site` as browsers send them, because the pages use them to reject forms from other sites.
public struct StoreBrowser: Sendable {
  private let explored: ExploredStore
  private let name: String
  private let uses = PredicateUses()
  private let columnUses = ColumnUses()
  private let counts = KnownCounts()
  /// Makes links that let other people in; `nil` where the pages are part of another server.
  var links: PageLinks?
  /// The time limit for a count that a page can omit. A page without the count asks for it later.
  var countLimit = BrowserPages.usualCountLimit
  private let comparison: BrowsedComparison?
  private let otherModel: Counterparts.Model?
  /// `nil` where the pages only read.
  private let writing: BrowserWriting?
  let bounds: ReadBounds

  /// Makes the pages of a coordinator's first store.
  ///
  /// - Parameters:
  ///   - coordinator: a coordinator that already has its store.
  ///   - name: the store's name in the heads of pages.
  ///   - counterparts: another store and another model that pages compare the store with.
  ///   - allowsWriting: true if signed-in users may edit the store's objects. They share their unsaved changes.
  ///   - timeLimit: the greatest time of each read of the store.
  /// - Throws: an error in `NSCocoaErrorDomain` when the coordinator has no store; an `ExplorationFailure` when the
  ///   other store has another model; an error with the reason when writing is allowed and the store is read-only.
  public init(
    _ coordinator: NSPersistentStoreCoordinator,
    name: String,
    counterparts: Counterparts = Counterparts(),
    allowsWriting: Bool = false,
    timeLimit: Duration = .seconds(10)
  ) throws {
    guard let explored = ExploredStore(coordinator) else {
      throw CocoaError(
        .persistentStoreOperation,
        userInfo: [
          NSLocalizedDescriptionKey: "the coordinator has no store; add one before the browser is made."
        ]
      )
    }
    self.explored = explored
    self.name = name
    comparison = try counterparts.store.map { other in
      BrowsedComparison(stores: try ComparedStores(from: other.coordinator, to: coordinator), name: other.name)
    }
    otherModel = counterparts.model
    bounds = ReadBounds(timeLimit: timeLimit)
    writing = allowsWriting ? BrowserWriting(try EditingSession(coordinator, timeLimit: timeLimit)) : nil
  }

  /// Adds the pages to a group of a router.
  ///
  /// - Parameters:
  ///   - group: the group. Its middleware decides who may use the pages.
  ///   - path: the path of the group, which the addresses in pages begin with; empty for the root.
  public func addRoutes<Context: RequestContext>(to group: RouterGroup<Context>, at path: String = "") {
    let trimmed = path.split(separator: "/").joined(separator: "/")
    let base = trimmed.isEmpty ? "" : "/\(trimmed)"
    let pages = BrowserPages(
      explored: explored,
      name: name,
      base: base,
      uses: uses,
      comparison: comparison,
      otherModel: otherModel,
      writing: writing,
      columnUses: columnUses,
      counts: counts,
      links: links,
      readLimit: bounds.timeLimit,
      countLimit: countLimit
    )
    group.add(middleware: SafetyHeaders<Context>(tellsOrigin: writing != nil))
    group.add(middleware: ErrorPages<Context>(frame: pages.frame))
    group.add(middleware: BoundedReads<Context>(bounds: bounds, base: base))
    addAssets(to: group)
    if let writing { WritingRoutes<Context>(pages: pages, writing: writing).add(to: group) }
    group.get("/") { request, _ in try await pages.cataloguePage(request.queryItems) }
    group.get("model") { _, _ in pages.modelPage() }
    group.get("history") { request, _ in try await pages.historyPage(request.queryItems) }
    group.get("history/difference") { request, _ in try await pages.momentsPage(request.queryItems) }
    group.get("changes") { request, _ in pages.changes(request) }
    group.get("diagram") { request, _ in pages.diagramPage(request.queryItems) }
    group.get("diagram.svg") { request, _ in pages.diagramFile(request.queryItems, isDOT: false) }
    group.get("diagram.dot") { request, _ in pages.diagramFile(request.queryItems, isDOT: true) }
    group.get("entity/:entity") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      return try await pages.grid(entity, items: request.queryItems)
    }
    group.get("entity/:entity/count.json") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      let query = GridQuery(entity: entity, items: request.queryItems).fromStart
      return try await pages.count(query)
    }
    group.get("entity/:entity/facet") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      let items = request.queryItems
      return try await pages.facetPage(GridQuery(entity: entity, items: items), items: items)
    }
    group.get("entity/:entity/completions.json") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      return try await pages.completions(entity, items: request.queryItems)
    }
    for format in ExportFormat.allCases {
      group.get("entity/:entity/export.\(format.rawValue)") { request, context in
        let entity = try pages.entity(request, parameters: context.parameters)
        return try await pages.export(GridQuery(entity: entity, items: request.queryItems), as: format)
      }
    }
    group.get("entity/:entity/seed") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      let items = request.queryItems
      return try await pages.seedExportPage(.objects(GridQuery(entity: entity, items: items)), items: items)
    }
    group.get("entity/:entity/export.seed.json") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      let items = request.queryItems
      return try await pages.seedFile(.objects(GridQuery(entity: entity, items: items)), items: items)
    }
    group.get("entity/:entity/:key/seed") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      let object = SeedSubject.object(entity: entity, key: try pages.key(context.parameters))
      return try await pages.seedExportPage(object, items: request.queryItems)
    }
    group.get("entity/:entity/:key/export.seed.json") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      let object = SeedSubject.object(entity: entity, key: try pages.key(context.parameters))
      return try await pages.seedFile(object, items: request.queryItems)
    }
    group.get("entity/:entity/orphans") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      return try await pages.orphansPage(entity)
    }
    group.get("entity/:entity/:key/deletion") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      return try await pages.deletionPage(entity, key: try pages.key(context.parameters))
    }
    group.get("entity/:entity/:key") { request, context in
      if let form = try pages.formOfNew(request, parameters: context.parameters) { return form }
      let entity = try pages.entity(request, parameters: context.parameters)
      return try await pages.objectPage(entity, key: try pages.key(context.parameters), items: request.queryItems)
    }
    group.get("entity/:entity/:key/value/:attribute") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      let (attribute, key) = (try pages.attribute(context.parameters), try pages.key(context.parameters))
      return try await pages.bytes(of: attribute, entity: entity, key: key)
    }
    group.get("entity/:entity/:key/value/:attribute/page") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      let (attribute, key) = (try pages.attribute(context.parameters), try pages.key(context.parameters))
      return try await pages.valuePage(of: attribute, entity: entity, key: key)
    }
    addComparison(to: group, pages: pages)
    addFinding(to: group, pages: pages)
    group.get("**") { _, _ -> Response in throw HTTPError(.notFound) }
  }

  /// Adds the pages that compare the store with another store, and its model with another model.
  private func addComparison<Context: RequestContext>(to group: RouterGroup<Context>, pages: BrowserPages) {
    group.get("model/difference") { _, _ in try pages.modelDifferencePage() }
    group.get("comparison") { request, _ in try pages.comparisonPage(request.queryItems) }
    group.get("comparison/start") { request, _ in try pages.startComparison(request) }
    group.get("comparison/stop") { request, _ in try pages.stopComparison(request) }
    group.get("comparison/entity/:entity") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      return try await pages.comparedPage(entity, items: request.queryItems)
    }
    group.get("comparison/entity/:entity/object") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      return try await pages.comparedObjectPage(entity, items: request.queryItems)
    }
  }

  private func addAssets<Context: RequestContext>(to group: RouterGroup<Context>) {
    for asset in Self.assets {
      group.get("assets/\(asset.name)") { request, _ in asset.file.response(to: request) }
    }
  }

  /// The static files of the pages. Each is compressed once.
  private static let assets: [(name: String, file: StaticFile)] =
    ResourceFile.assets.map { ($0.file.name, StaticFile($0.file.contents, type: $0.type)) } + [
      ("diagram.css", StaticFile(Array(DiagramColors.bySystem.styleSheet.utf8), type: "text/css; charset=utf-8"))
    ]
}
