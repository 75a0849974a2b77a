import CoreData
import Foundation
import TestModels

/// A model for automatic behavior of objects: life cycle, validation, uniqueness, derived and composite attributes.
enum GraphModel {
  static let shared = make()

  static func make() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = [witness(), account(), place()] + places() + albums()
    return model
  }

  private static func witness() -> NSEntityDescription {
    let label = makeAttribute("label", .stringAttributeType)
    label.isTransient = true
    return makeEntity(
      "Witness",
      Witness.self,
      [
        makeAttribute("name", .stringAttributeType),
        makeAttribute("count", .integer64AttributeType, default: 7),
        label,
      ]
    )
  }

  private static func account() -> NSEntityDescription {
    let owner = makeAttribute("owner", .stringAttributeType)
    owner.isOptional = false
    let code = makeAttribute("code", .stringAttributeType)
    code.setValidationPredicates(
      [NSPredicate(format: "length >= 2"), NSPredicate(format: "SELF MATCHES '[A-Z]*'")],
      withValidationWarnings: ["it is too short", "it has other letters"]
    )
    let friends = makeRelationship("friends", toMany: true)
    friends.minCount = 1
    friends.maxCount = 2
    let account = makeEntity(
      "Account",
      Account.self,
      [
        owner, makeAttribute("balance", .integer64AttributeType, default: 0),
        makeAttribute("limit", .integer64AttributeType, default: 0), code, friends,
      ]
    )
    friends.destinationEntity = account
    return account
  }

  private static func place() -> NSEntityDescription {
    let latitude = makeAttribute("latitude", .doubleAttributeType, default: 1.0)
    latitude.setValidationPredicates(
      [NSPredicate(format: "SELF <= 90")],
      withValidationWarnings: ["too far north"]
    )
    let accuracy = NSCompositeAttributeDescription()
    accuracy.name = "accuracy"
    accuracy.isOptional = true
    accuracy.elements = [makeAttribute("horizontal", .integer32AttributeType)]
    let position = NSCompositeAttributeDescription()
    position.name = "position"
    position.isOptional = true
    position.elements = [latitude, makeAttribute("label", .stringAttributeType), accuracy]
    let place = NSEntityDescription()
    place.name = "Place"
    place.properties = [makeAttribute("label", .stringAttributeType), position]
    return place
  }

  private static func places() -> [NSEntityDescription] {
    let towns = makeRelationship("towns", toMany: true)
    let country = makeEntity(
      "Country",
      Country.self,
      [
        makeAttribute("code", .stringAttributeType), makeAttribute("name", .stringAttributeType),
        makeAttribute("area", .integer64AttributeType, default: 1), towns,
      ]
    )
    country.uniquenessConstraints = [["code"]]
    let home = makeRelationship("country", toMany: false)
    home.destinationEntity = country
    let town = makeEntity(
      "Town",
      Town.self,
      [makeAttribute("name", .stringAttributeType), makeAttribute("region", .stringAttributeType), home]
    )
    town.uniquenessConstraints = [["name", "region"]]
    towns.destinationEntity = town
    towns.inverseRelationship = home
    home.inverseRelationship = towns
    let capital = makeEntity("Capital", Capital.self, [])
    town.subentities = [capital]
    return [country, town, capital]
  }

  private static func albums() -> [NSEntityDescription] {
    let photos = makeRelationship("photos", toMany: true)
    let album = makeEntity(
      "Album",
      Album.self,
      [
        makeAttribute("name", .stringAttributeType), photos,
        derived("searchName", .stringAttributeType, "canonical:(name)"),
        derived("loudName", .stringAttributeType, "uppercase:(name)"),
        derived("photoCount", .integer64AttributeType, "photos.@count"),
        derived("totalSize", .integer64AttributeType, "photos.size.@sum"),
        derived("changedAt", .dateAttributeType, "now()"),
      ]
    )
    let home = makeRelationship("album", toMany: false)
    home.destinationEntity = album
    let photo = makeEntity(
      "Photo",
      Photo.self,
      [
        makeAttribute("size", .integer64AttributeType), home,
        derived("albumName", .stringAttributeType, "album.name"),
      ]
    )
    photos.destinationEntity = photo
    photos.inverseRelationship = home
    home.inverseRelationship = photos
    return [album, photo]
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
}

extension Stack {
  static func graph(_ kind: StoreKind) throws -> Stack { try Stack(kind, model: GraphModel.shared) }

  func witness(_ name: String) -> Witness {
    let witness = Witness(context: context)
    witness.name = name
    return witness
  }

  /// Changes an object in another context than the stack's, and saves the change.
  func changeElsewhere<Object: NSManagedObject>(_ object: Object, _ change: (Object) -> Void) throws {
    let other = sibling()
    guard let same = try other.existingObject(with: object.objectID) as? Object else { return }
    change(same)
    try other.save()
  }
}
