import Hummingbird
import Synchronization

/// Counts the answers of a group of routes by status.
final class AnswerCounter<Context: RequestContext>: RouterMiddleware {
  private let counts = Mutex<[Int: Int]>([:])

  /// The number of answers for each status.
  var answers: [String: Int] {
    let counts = counts.withLock { $0 }
    return Dictionary(uniqueKeysWithValues: counts.map { ("\($0.key)", $0.value) })
  }

  func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      let response = try await next(request, context)
      add(response.status.code)
      return response
    } catch {
      add((error as? any HTTPResponseError)?.status.code ?? 500)
      if !(error is any HTTPResponseError) { context.logger.error("\(error)") }
      throw error
    }
  }

  private func add(_ status: Int) { counts.withLock { $0[status, default: 0] += 1 } }
}
