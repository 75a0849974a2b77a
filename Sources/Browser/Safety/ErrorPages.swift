import CoreData
import Foundation
import Hummingbird
import Predicates
import Seeding
import StoreEditing
import StoreExploration
import Texts

/// Answers an error with a page that shows the problem and the remedy.
struct ErrorPages<Context: RequestContext>: RouterMiddleware {
  let frame: PageFrame

  func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch {
      let problem = PageProblem(error)
      if request.uri.path.hasSuffix(".json") {
        let text = (try? JSONEncoder().encode(["error": problem.text])) ?? Data()
        return .json(String(decoding: text, as: UTF8.self), status: problem.status)
      }
      var response = Response.page(frame.errorPage(problem), status: problem.status)
      if let error = error as? HTTPError { response.headers.append(contentsOf: error.headers) }
      return response
    }
  }
}

/// An error as a page shows it.
struct PageProblem: Sendable {
  let status: HTTPResponse.Status
  let title: String
  let text: String

  init(status: HTTPResponse.Status, title: String, text: String) {
    self.status = status
    self.title = title
    self.text = VisibleText(line: text, atMost: 2_000).description
  }

  init(_ error: any Error) {
    switch error {
    case let failure as ExplorationFailure:
      self.init(status: Self.status(of: failure.code), title: Self.title(of: failure.code), text: failure.description)
    case let failure as EditingFailure:
      self.init(status: Self.status(of: failure.code), title: "That cannot be done", text: failure.description)
    case let error as SeedError:
      self.init(status: .unprocessableContent, title: "The seed cannot be imported", text: error.description)
    case let error as PredicateFormatError:
      self.init(status: .badRequest, title: "The predicate cannot be read", text: "\(error)")
    case let error as PredicateEvaluationError:
      self.init(status: .badRequest, title: "The predicate cannot be answered", text: "\(error)")
    case let error as HTTPError:
      self.init(
        status: error.status,
        title: error.status == .notFound ? "There is no such page" : error.status.reasonPhrase,
        text: error.body ?? "The address leads to no page of this store."
      )
    default:
      let error = error as NSError
      self.init(
        status: error.domain == NSCocoaErrorDomain ? .badRequest : .internalServerError,
        title: "The store could not answer",
        text: error.localizedDescription
      )
    }
  }

  private static func status(of code: ExplorationFailure.Code) -> HTTPResponse.Status {
    switch code {
    case .unknownName, .noSuchObject, .noHistory: .notFound
    case .tookTooLong: .serviceUnavailable
    default: .badRequest
    }
  }

  private static func status(of code: EditingFailure.Code) -> HTTPResponse.Status {
    switch code {
    case .noSuchObject: .notFound
    case .readOnlyStore: .forbidden
    case .unsavedChanges, .forbiddenDeletion, .saveInProgress: .conflict
    case .tookTooLong: .serviceUnavailable
    case .unsuitableProperty, .tooManyObjects, .wrongValue: .unprocessableContent
    }
  }

  private static func title(of code: ExplorationFailure.Code) -> String {
    switch code {
    case .noSuchObject: "There is no such object"
    case .unknownName: "The model has nothing of this name"
    case .tookTooLong: "That took too long"
    case .tooLarge: "That is too much at once"
    case .noHistory: "The store keeps no history"
    default: "That cannot be answered"
    }
  }
}
