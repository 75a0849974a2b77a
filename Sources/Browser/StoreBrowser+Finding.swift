import Hummingbird
import StoreExploration

/// The pages for finding objects without writing predicates.
extension StoreBrowser {
  func addFinding<Context: RequestContext>(to group: RouterGroup<Context>, pages: BrowserPages) {
    group.get("entity/:entity/filter") { request, context in
      try await pages.columnPage(try pages.entity(request, parameters: context.parameters), items: request.queryItems)
    }
    group.get("entity/:entity/columns") { request, context in
      try pages.columnsPage(try pages.entity(request, parameters: context.parameters), items: request.queryItems)
    }
    group.get("entity/:entity/duplicates") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      let items = request.queryItems
      return try await pages.duplicatesPage(entity, items: items)
    }
    for (name, isNext) in [("previous", false), ("next", true)] {
      group.get("entity/:entity/:key/\(name)") { request, context in
        let entity = try pages.entity(request, parameters: context.parameters)
        let key = try pages.key(context.parameters)
        return try await pages.neighborPage(entity, key: key, isNext: isNext, items: request.queryItems)
      }
    }
    group.get("counts.json") { _, _ in await pages.allCounts() }
    group.get("history/transaction/:number") { request, context in
      try await pages.transactionPage(context.parameters, items: request.queryItems)
    }
    group.get("link") { request, _ in try pages.linkPage(request) }
  }
}
