import Foundation
import Hummingbird
import Logging

/// Answers an error with a page that describes it. Reasons that do not concern the client are only logged.
struct FailurePages: RouterMiddleware {
  let site: NotesSite

  func handle(
    _ request: Request,
    context: SiteContext,
    next: (Request, SiteContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch NoteFailure.notFound {
      return try page(
        .notFound,
        "There is no such note",
        "It was deleted, or the address is not quite right."
      )
    } catch NoteFailure.busy {
      var response = try page(
        .serviceUnavailable,
        "Just a moment",
        "Others are writing to the notes. Try once more."
      )
      response.headers[.retryAfter] = "1"
      return response
    } catch let error as HTTPError {
      return try page(error.status, heading(error.status), error.body ?? sentence(error.status))
    } catch let error as any HTTPResponseError {
      return try page(error.status, heading(error.status), sentence(error.status))
    } catch is URLEncodedFormError {
      return try page(.badRequest, heading(.badRequest), "What was sent is not a form of these pages.")
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      context.logger.error("\(request.method) \(request.uri.path): \(error)")
      return try page(
        .internalServerError,
        "That did not work",
        "The server's log has the reason. What was saved before is still there."
      )
    }
  }

  private func heading(_ status: HTTPResponse.Status) -> String {
    switch status {
    case .notFound: "There is no such page"
    case .contentTooLarge: "That is too long"
    case .forbidden: "That was not done"
    default: "That was not understood"
    }
  }

  private func sentence(_ status: HTTPResponse.Status) -> String {
    switch status {
    case .notFound: "Nothing is at this address. All notes are in the list."
    case .contentTooLarge: "A note has at most \(NotesModel.contentsLength) characters; shorten it."
    default: "\(status.reasonPhrase)."
    }
  }

  private func page(_ status: HTTPResponse.Status, _ heading: String, _ sentence: String) throws -> Response {
    var page = site.emptyPage(heading, "message")
    page.message = MessageView(heading: heading, sentence: sentence, link: "All notes", address: "/")
    return try site.templates.response(page, status: status)
  }
}
