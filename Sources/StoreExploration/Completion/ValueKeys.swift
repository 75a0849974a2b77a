import CoreData

/// The keys of values that every store supports, such as `title.length`.
enum ValueKeys {
  static func names(of type: NSAttributeType) -> Set<String> {
    switch type {
    case .stringAttributeType: ["length", "lowercaseString", "uppercaseString"]
    case .dateAttributeType: ["timeIntervalSinceReferenceDate"]
    case .URIAttributeType: ["absoluteString"]
    default: []
    }
  }
}
