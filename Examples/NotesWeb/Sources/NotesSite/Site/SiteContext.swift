package import Hummingbird

/// What goes with a request: bodies are forms, and no longer than a form of a note can be.
package struct SiteContext: RequestContext {
  package var coreContext: CoreRequestContextStorage

  package init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }

  package var requestDecoder: URLEncodedFormDecoder { URLEncodedFormDecoder() }

  /// A text of the greatest length, percent-encoded.
  package var maxUploadSize: Int { 512 * 1024 }
}
