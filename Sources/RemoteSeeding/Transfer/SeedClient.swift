import Foundation
import Seeding
import Texts

/// Asks servers, again where that may help. Used by one thread.
final class SeedClient {
  private let options: RemoteSeedOptions
  private let cancellation: SeedCancellation
  private let deadline: ContinuousClock.Instant
  private var session: TransferSession?

  private static let mostRedirects = 5

  init(options: RemoteSeedOptions, cancellation: SeedCancellation) {
    self.options = options
    self.cancellation = cancellation
    deadline = .now + options.totalTimeout.bounded
  }

  /// Closes the connections. To be called once, at the end.
  func close() { session = nil }

  /// Writes the server's file into a local file. Blocks.
  ///
  /// - Throws: A `SeedError` if the file cannot be fetched, or if the run was cancelled.
  func get(_ request: SeedRequest, into file: URL) throws -> SeedAnswer {
    try HeaderFields.check(request.fields, at: request.place)
    var tries = 1
    while true {
      do {
        return try getOnce(request, into: file)
      } catch let error as SeedError {
        throw error
      } catch {
        let failure = FetchFailure(error, timeout: options.timeout)
        guard failure.isTransient, tries <= options.retries,
          let pause = pause(before: tries, failure: failure)
        else { throw failure.error(at: request.place, tries: tries) }
        try session?.pause(until: .now + .seconds(pause))
        tries += 1
      }
    }
  }

  /// In seconds; nil if no time is left for a pause.
  private func pause(before retry: Int, failure: FetchFailure) -> TimeInterval? {
    let doubled = options.retryDelay.inSeconds * pow(2, Double(retry - 1))
    let pause = failure.retryAfter ?? doubled * Double.random(in: 0.5...1)
    return pause < ContinuousClock.now.duration(to: deadline).inSeconds ? pause : nil
  }

  private func getOnce(_ request: SeedRequest, into file: URL) throws -> SeedAnswer {
    var request = request
    var visited: Set<URL> = []
    while visited.insert(request.place.url.absoluteURL).inserted, visited.count <= Self.mostRedirects + 1 {
      do {
        return try ask(request, into: file)
      } catch let redirection as Redirection {
        let place = RemoteLocation(redirection.url)
        try check(place, request: request)
        request = request.redirected(to: place)
      }
    }
    throw FetchFailure.endlessRedirects
  }

  /// Checks that a redirect may lead to a URL.
  ///
  /// - Throws: A `FetchFailure` for a URL that it must not lead to.
  private func check(_ place: RemoteLocation, request: SeedRequest) throws(FetchFailure) {
    guard !request.staysWithServer || place.hasOrigin(of: request.place) else {
      throw FetchFailure(
        code: .notFetched,
        problem: "a redirect leads to another server, and the files of a seed are on its own",
        remedy: "put the file beside the seed"
      )
    }
    do {
      try place.check(isVerified: request.isVerified)
    } catch {
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
    let transfer = TransferRequest(
      url: try request.place.requestText(),
      header: fields(request).lines,
      timeout: options.timeout.bounded,
      authorities: options.transfer.authorities,
      usesProxies: !request.place.isPlainAndLocal
    )
    try openSession().perform(transfer, until: deadline, receiver: download)
    return try download.finish()
  }

  private func openSession() throws(TransferFailure) -> TransferSession {
    if let session { return session }
    let library: CurlLibrary
    do { library = try CurlLibrary.load(options.transfer.curlFiles) } catch { throw .library(error) }
    let session = try TransferSession(curl: library, cancellation: cancellation)
    self.session = session
    return session
  }

  private func fields(_ request: SeedRequest) -> HeaderFields {
    var fields = HeaderFields()
    fields.set("User-Agent", to: "Perennial")
    fields.set("Accept", to: "*/*")
    fields.set("Accept-Encoding", to: request.acceptsCompression ? "gzip, deflate" : "identity")
    // Both come from the store, which another program may have written.
    if let tag = request.known?.entityTag, HeaderFields.isValue(tag) { fields.set("If-None-Match", to: tag) }
    if let date = request.known?.lastModified, HeaderFields.isValue(date) { fields.set("If-Modified-Since", to: date) }
    for (name, value) in request.fields { fields.set(name, to: value) }
    return fields
  }
}

extension Duration {
  fileprivate var inSeconds: TimeInterval { self / .seconds(1) }

  /// At most 30 years, so that no point in time exceeds the clock.
  fileprivate var bounded: Duration { min(self, .seconds(1_000_000_000)) }
}
