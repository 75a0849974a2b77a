import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import Seeding
import Texts

/// Asks servers, again where that may help.
struct SeedClient: Sendable {
  private let options: RemoteSeedOptions
  private let client: HTTPClient
  private let deadline: NIODeadline

  private static let mostRedirects = 5

  init(_ options: RemoteSeedOptions) {
    self.options = options
    deadline = .now() + TimeAmount(options.totalTimeout)
    let timeout = TimeAmount(options.timeout)
    var configuration = HTTPClient.Configuration(
      // Redirects are followed here: the client would take all fields of the header but three to
      // any server.
      redirectConfiguration: .disallow,
      timeout: .init(connect: timeout, read: timeout),
      decompression: .enabled(limit: .size(options.largestSize))
    )
    // Tries are counted here.
    configuration.connectionPool.retryConnectionEstablishment = false
    client = HTTPClient(configuration: configuration)
  }

  /// Closes the connections. To be called once, at the end.
  func close() {
    // What is still open is closed by force; that leaves nothing to do for anybody.
    try? client.syncShutdown()
  }

  /// Writes what the server has into a file. Blocks.
  ///
  /// - Throws: A `SeedError` when the file cannot be had.
  func get(_ request: SeedRequest, into file: URL) throws -> SeedAnswer {
    var tries = 1
    while true {
      do {
        return try getOnce(request, into: file)
      } catch {
        let failure = FetchFailure(error, timeout: options.timeout, largestSize: request.largestSize)
        guard failure.isTransient, tries <= options.retries, let pause = pause(before: tries, failure) else {
          throw failure.error(at: request.place, tries: tries)
        }
        Thread.sleep(forTimeInterval: pause)
        tries += 1
      }
    }
  }

  /// In seconds; nil when no time is left for it.
  private func pause(before retry: Int, _ failure: FetchFailure) -> TimeInterval? {
    let doubled = options.retryDelay.seconds * pow(2, Double(retry - 1))
    let pause = failure.retryAfter ?? doubled * Double.random(in: 0.5...1)
    let left = Double((deadline - .now()).nanoseconds) / 1e9
    return pause < left ? pause : nil
  }

  private func getOnce(_ request: SeedRequest, into file: URL) throws -> SeedAnswer {
    var request = request
    var visited: Set<URL> = []
    while visited.insert(request.place.url.absoluteURL).inserted, visited.count <= Self.mostRedirects + 1 {
      do {
        return try ask(request, into: file)
      } catch let redirection as Redirection {
        let place = RemotePlace(redirection.url)
        try check(place, request)
        request = request.redirected(to: place)
      }
    }
    throw FetchFailure(
      code: .notFetched,
      problem: "the server leads from one URL to the next without end",
      remedy: "check the URL"
    )
  }

  /// Checks that a redirect may lead to a place.
  ///
  /// - Throws: A `FetchFailure` for a place where it must not lead.
  private func check(_ place: RemotePlace, _ request: SeedRequest) throws {
    guard !request.staysWithServer || place.hasOrigin(of: request.place) else {
      throw FetchFailure(
        code: .notFetched,
        problem: "a redirect leads to another server, and the files of a seed are on its own",
        remedy: "put the file beside the seed"
      )
    }
    do {
      try place.check(isVerified: request.isVerified)
    } catch let error as SeedError {
      let scheme = (place.url.scheme ?? "").abbreviated
      throw FetchFailure(
        code: error.code,
        problem: "a redirect leads to \(scheme), and \(error.problem)",
        remedy: error.remedy
      )
    }
  }

  private func ask(_ request: SeedRequest, into file: URL) throws -> SeedAnswer {
    let download = try SeedDownload(request, into: file)
    let task = client.execute(
      request: try HTTPClient.Request(url: request.place.url, headers: fields(request)),
      delegate: download,
      deadline: deadline
    )
    return try task.wait()
  }

  private func fields(_ request: SeedRequest) -> HTTPHeaders {
    var fields = HTTPHeaders([("User-Agent", "Perennial"), ("Accept", "*/*")])
    fields.add(name: "Accept-Encoding", value: request.acceptsCompression ? "gzip, deflate" : "identity")
    if let tag = request.known?.entityTag { fields.add(name: "If-None-Match", value: tag) }
    if let date = request.known?.lastModified { fields.add(name: "If-Modified-Since", value: date) }
    for (name, value) in request.fields { fields.replaceOrAdd(name: name, value: value) }
    return fields
  }
}

extension TimeAmount {
  fileprivate init(_ duration: Duration) {
    self = .nanoseconds(Int64(min(duration.seconds, 1e9) * 1e9))
  }
}

extension Duration {
  fileprivate var seconds: TimeInterval {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
