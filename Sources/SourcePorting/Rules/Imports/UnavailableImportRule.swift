import SwiftSyntax

/// Lists imports of frameworks that only Apple's platforms have.
final class UnavailableImportRule: PortingRule {
  private static let remedies: [String: String] = [
    "os.lock": "use Mutex of Synchronization or NSLock",
    "os": "use swift-log",
    "OSLog": "use swift-log",
    "Combine": "use @Observable of Observation, asynchronous sequences or OpenCombine",
    "Darwin": "import Foundation",
    "CommonCrypto": "use swift-crypto",
    "CryptoKit": "use Crypto of swift-crypto",
  ]

  private static let others: Set = [
    "Accelerate", "AppKit", "AVFoundation", "CloudKit", "Cocoa", "Contacts", "CoreGraphics",
    "CoreImage", "CoreLocation", "CoreServices", "CoreSpotlight", "EventKit", "HealthKit", "Intents",
    "MapKit",
    "MobileCoreServices", "Network", "ObjectiveC", "Photos", "Security", "SwiftData", "SwiftUI",
    "SystemConfiguration", "UIKit", "UniformTypeIdentifiers", "UserNotifications", "WatchConnectivity",
    "WatchKit",
    "WidgetKit",
  ]

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    let path = node.path.trimmedDescription
    let module = node.path.first?.name.text ?? ""
    let remedy = Self.remedies[path] ?? Self.remedies[module]
    if remedy == nil, !Self.others.contains(module) || PlainImportRule.suffices(for: path, in: file) {
      return .skipChildren
    }
    let either = remedy.map { "\($0), or " } ?? ""
    report(node, reason: "\(path) is not there; \(either)wrap the import and what needs it in #if canImport(\(module))")
    return .skipChildren
  }
}
