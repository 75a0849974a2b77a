package import Hummingbird

/// The context of a request. Bodies are forms, and no larger than a form of a note can be.
package struct SiteContext: RequestContext {
  package var coreContext: CoreRequestContextStorage

  package init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }

  package var requestDecoder: URLEncodedFormDecoder { URLEncodedFormDecoder() }

  /// A text of the greatest length, when it is percent-encoded.
  package var maxUploadSize: Int { 512 * 1024 }
}
