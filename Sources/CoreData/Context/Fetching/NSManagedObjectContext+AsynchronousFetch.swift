import Dispatch
import Foundation

extension NSManagedObjectContext {
  /// Begins a fetch whose rows are read on another thread; the rest is done on the context's queue.
  ///
  /// - Throws: an error when the request cannot even begin: its entity is not known, or the context has no store.
  final func fetch<ResultType>(
    _ request: NSFetchRequest<ResultType>,
    into result: NSAsynchronousFetchResult<ResultType>
  ) throws {
    guard request.isOfObjects else { return fetchLater(request, into: result) }
    var query = try request.query(for: try entity(of: request))
    if request.fetchBatchSize > 0 { query.includesRows = false }
    query.observer = result.observer
    let channel = try connectedChannel()
    processChanges()
    pullReferences()
    let asked = queryOfStores(for: query, includesPendingChanges: request.includesPendingChanges)
    let work = UncheckedSendable((channel: channel, asked: asked, query: query, request: request, result: result))
    let read = carrying {
      let rows = UncheckedSendable(Result { try work.value.channel.fetch(work.value.asked) })
      self.queue.async {
        let (_, asked, query, request, result) = work.value
        result.finish(
          Result {
            if result.isCancelled { throw FetchObserver.cancelled }
            let objects = try self.objects(
              for: try rows.value.get(),
              askedBy: asked,
              of: query,
              includesPendingChanges: request.includesPendingChanges
            )
            return try self.results(self.prepared(objects, for: request, of: query.entity), of: request)
          }
        )
      }
    }
    DispatchQueue.global(qos: .userInitiated).async(execute: read)
  }

  /// Dictionaries and counts are computed on the context's queue, in the order of the requests.
  private final func fetchLater<ResultType>(
    _ request: NSFetchRequest<ResultType>,
    into result: NSAsynchronousFetchResult<ResultType>
  ) {
    let work = UncheckedSendable((request: request, result: result))
    let fetch = carrying {
      let (request, result) = work.value
      result.finish(
        Result {
          if result.isCancelled { throw FetchObserver.cancelled }
          return try self.fetch(request)
        }
      )
    }
    queue.async(fetch)
  }
}
