import CoreData
import Foundation

/// A model for what objects do by themselves: their life, validation, uniqueness, derived and composite attributes.
enum GraphModel {
  static let shared = make()

  static func make() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = [witness(), account(), place()] + places() + albums()
    return model
  }

  private static func witness() -> NSEntityDescription {
    let label = attribute("label", .stringAttributeType)
    label.isTransient = true
    return entity(
      "Witness",
      Witness.self,
      [
        attribute("name", .stringAttributeType), attribute("count", .integer64AttributeType, default: 7),
        label,
      ]
    )
  }

  private static func account() -> NSEntityDescription {
    let owner = attribute("owner", .stringAttributeType)
    owner.isOptional = false
    let code = attribute("code", .stringAttributeType)
    code.setValidationPredicates(
      [NSPredicate(format: "length >= 2"), NSPredicate(format: "SELF MATCHES '[A-Z]*'")],
      withValidationWarnings: ["it is too short", "it has other letters"]
    )
    let friends = relationship("friends", toMany: true)
    friends.minCount = 1
    friends.maxCount = 2
    let account = entity(
      "Account",
      Account.self,
      [
        owner, attribute("balance", .integer64AttributeType, default: 0),
        attribute("limit", .integer64AttributeType, default: 0), code, friends,
      ]
    )
    friends.destinationEntity = account
    return account
  }

  private static func place() -> NSEntityDescription {
    let latitude = attribute("latitude", .doubleAttributeType, default: 1.0)
    latitude.setValidationPredicates(
      [NSPredicate(format: "SELF <= 90")],
      withValidationWarnings: ["too far north"]
    )
    let accuracy = NSCompositeAttributeDescription()
    accuracy.name = "accuracy"
    accuracy.isOptional = true
    accuracy.elements = [attribute("horizontal", .integer32AttributeType)]
    let position = NSCompositeAttributeDescription()
    position.name = "position"
    position.isOptional = true
    position.elements = [latitude, attribute("label", .stringAttributeType), accuracy]
    let place = NSEntityDescription()
    place.name = "Place"
    place.properties = [attribute("label", .stringAttributeType), position]
    return place
  }

  private static func places() -> [NSEntityDescription] {
    let towns = relationship("towns", toMany: true)
    let country = entity(
      "Country",
      Country.self,
      [
        attribute("code", .stringAttributeType), attribute("name", .stringAttributeType),
        attribute("area", .integer64AttributeType, default: 1), towns,
      ]
    )
    country.uniquenessConstraints = [["code"]]
    let home = relationship("country", toMany: false)
    home.destinationEntity = country
    let town = entity(
      "Town",
      Town.self,
      [attribute("name", .stringAttributeType), attribute("region", .stringAttributeType), home]
    )
    town.uniquenessConstraints = [["name", "region"]]
    towns.destinationEntity = town
    towns.inverseRelationship = home
    home.inverseRelationship = towns
    let capital = entity("Capital", Capital.self, [])
    town.subentities = [capital]
    return [country, town, capital]
  }

  private static func albums() -> [NSEntityDescription] {
    let photos = relationship("photos", toMany: true)
    let album = entity(
      "Album",
      Album.self,
      [
        attribute("name", .stringAttributeType), photos,
        derived("searchName", .stringAttributeType, "canonical:(name)"),
        derived("loudName", .stringAttributeType, "uppercase:(name)"),
        derived("photoCount", .integer64AttributeType, "photos.@count"),
        derived("totalSize", .integer64AttributeType, "photos.size.@sum"),
        derived("changedAt", .dateAttributeType, "now()"),
      ]
    )
    let home = relationship("album", toMany: false)
    home.destinationEntity = album
    let photo = entity(
      "Photo",
      Photo.self,
      [
        attribute("size", .integer64AttributeType), home,
        derived("albumName", .stringAttributeType, "album.name"),
      ]
    )
    photos.destinationEntity = photo
    photos.inverseRelationship = home
    home.inverseRelationship = photos
    return [album, photo]
  }

  private static func entity(
    _ name: String,
    _ objectClass: NSManagedObject.Type,
    _ properties: [NSPropertyDescription]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = NSStringFromClass(objectClass)
    entity.properties = properties
    return entity
  }

  private static func attribute(
    _ name: String,
    _ type: NSAttributeType,
    default value: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    attribute.defaultValue = value
    return attribute
  }

  private static func derived(_ name: String, _ type: NSAttributeType, _ format: String)
    -> NSAttributeDescription
  {
    let attribute = NSDerivedAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    attribute.derivationExpression = NSExpression(format: format)
    return attribute
  }

  private static func relationship(_ name: String, toMany: Bool) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.maxCount = toMany ? 0 : 1
    relationship.isOptional = true
    relationship.deleteRule = .nullifyDeleteRule
    return relationship
  }
}

extension Stack {
  static func graph(_ kind: StoreKind) throws -> Stack { try Stack(kind, model: GraphModel.shared) }

  func witness(_ name: String) -> Witness {
    let witness = Witness(context: context)
    witness.name = name
    return witness
  }

  /// The object in a context beside the stack's, which saves a change of it.
  func changeElsewhere<Object: NSManagedObject>(_ object: Object, _ change: (Object) -> Void) throws {
    let other = sibling()
    guard let same = try other.existingObject(with: object.objectID) as? Object else { return }
    change(same)
    try other.save()
  }
}
