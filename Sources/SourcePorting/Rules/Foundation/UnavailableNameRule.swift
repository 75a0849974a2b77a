import SwiftSyntax

/// Lists names that Foundation and Core Data have only on Apple's platforms.
final class UnavailableNameRule: NameRule {
  private static let remedies: [String: String] = [
    "CACurrentMediaTime": "use ProcessInfo.processInfo.systemUptime",
    "arc4random": "use random(in:)",
    "arc4random_uniform": "use random(in:)",
    "NSSelectorFromString": "pass a closure",
    "Selector": "pass a closure",
    "NSCoreDataCoreSpotlightDelegate": "wrap it in #if canImport(CoreSpotlight)",
    "ObservableObject": "make the class @Observable, of Observation, in place of Combine's",
    "NSAppleScript": "wrap it in #if canImport(ObjectiveC)",
    "NSUserActivity": "wrap it in #if canImport(ObjectiveC)",
    "NSUbiquitousKeyValueStore": "wrap it in #if canImport(ObjectiveC)",
    "NSFileCoordinator": "wrap it in #if canImport(ObjectiveC)",
  ]

  override func look(at name: TokenSyntax) {
    guard let remedy = Self.remedies[name.text], index.types[name.text] == nil else { return }
    if name.text == "ObservableObject", file.imports(anyOf: ["OpenCombine"]) { return }
    // Core Data has these names for the selectors of sort descriptors.
    if ["Selector", "NSSelectorFromString"].contains(name.text), name.isSortSelector { return }
    report(name, reason: "\(name.text) is not there; \(remedy)")
  }
}
