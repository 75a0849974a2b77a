import CoreData
import ModelFormats
import Seeding

/// The descriptions of entities and properties that editors show.
enum SchemaWords {
  private static let keys = ["documentation", "description"]

  static func description(of entity: NSEntityDescription) -> String {
    let key = NaturalKeys().key(of: entity).map { "natural key: \($0.name)" } ?? "no natural key"
    return joined(entity.userInfo, words: "\(entity.name ?? "") (\(key))")
  }

  static func description(of attribute: NSAttributeDescription) -> String {
    let need = attribute.isOptional || attribute.defaultValue != nil ? "" : ", needed by a new object"
    return joined(attribute.userInfo, words: type(of: attribute) + need)
  }

  static func description(of relationship: NSRelationshipDescription) -> String {
    let name = relationship.destinationEntity?.name ?? ""
    let count = relationship.isToMany ? "any number of" : "one"
    return joined(relationship.userInfo, words: "\(count) \(name)\(relationship.isOrdered ? ", in order" : "")")
  }

  /// Puts the description in the model's user info before the one that is derived from the model.
  private static func joined(_ userInfo: [AnyHashable: Any]?, words: String) -> String {
    let text = keys.lazy.compactMap { userInfo?[$0] as? String }.first { !$0.isEmpty }
    return text.map { "\($0)\n\n\(words)" } ?? words
  }

  private static func type(of attribute: NSAttributeDescription) -> String {
    let kind = AttributeKind(attribute.attributeType)
    return switch kind.storage {
    case .data: "\(kind.title), in Base64"
    case .none: "Attribute"
    default: kind.title
    }
  }
}
