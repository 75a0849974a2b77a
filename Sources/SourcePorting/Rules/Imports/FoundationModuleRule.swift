import SwiftSyntax

/// Imports the parts of Foundation that are separate modules on Linux, FoundationNetworking and FoundationXML.
final class FoundationModuleRule: NameRule {
  override static func changes(in file: SwiftFile, index: DeclarationIndex) -> [PortingChange] {
    modules.compactMap { module, names in
      if file.imports(anyOf: [module]) { return nil }
      let visitor = Self(file: file, index: index)
      visitor.names = names
      visitor.walk(file.tree)
      guard let use = visitor.firstUse else { return nil }
      return PortingChange(
        offset: use.startOffset,
        reason: "\(use.text) is in \(module) here",
        edits: [.importing(module, in: file, isConditional: true)]
      )
    }
  }

  private static let modules: [(name: String, names: Set<String>)] = [
    (
      "FoundationNetworking",
      [
        "CachedURLResponse", "HTTPCookie", "HTTPCookieStorage", "HTTPURLResponse",
        "URLAuthenticationChallenge",
        "URLAuthenticationChallengeSender", "URLCache", "URLCredential", "URLCredentialStorage",
        "URLProtectionSpace", "URLProtocol", "URLProtocolClient", "URLRequest", "URLResponse", "URLSession",
        "URLSessionConfiguration", "URLSessionDataDelegate", "URLSessionDataTask", "URLSessionDelegate",
        "URLSessionDownloadDelegate", "URLSessionDownloadTask", "URLSessionTask", "URLSessionTaskDelegate",
        "URLSessionTaskMetrics", "URLSessionUploadTask", "URLSessionWebSocketDelegate",
        "URLSessionWebSocketTask", "NSURLRequest", "NSMutableURLRequest",
      ]
    ),
    (
      "FoundationXML",
      ["XMLDTD", "XMLDTDNode", "XMLDocument", "XMLElement", "XMLNode", "XMLParser", "XMLParserDelegate"]
    ),
  ]

  private(set) var firstUse: TokenSyntax?
  private var names: Set<String> = []

  override func look(at name: TokenSyntax) {
    if firstUse == nil, names.contains(name.text), index.types[name.text] == nil { firstUse = name }
  }
}
