import CoreData
import Foundation

/// An object that writes down what it is told.
final class Witness: NSManagedObject {
  var name: String? {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }
  var count: Int64 {
    get { managedValue("count") }
    set { setManagedValue(newValue, "count") }
  }
  var label: String? {
    get { managedValue("label") }
    set { setManagedValue(newValue, "label") }
  }

  var events: [String] = []
  /// What is done each time in `willSave()`.
  var whenSaving: ((Witness) -> Void)?
  /// What is done each time in `awakeFromFetch()`.
  static let labelOfFetched = "fetched"

  override func awakeFromInsert() {
    super.awakeFromInsert()
    events.append("awakeFromInsert \(count)")
  }

  override func awakeFromFetch() {
    super.awakeFromFetch()
    events.append("awakeFromFetch")
    label = Self.labelOfFetched
  }

  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    super.awake(fromSnapshotEvents: flags)
    events.append("awake \(flags.rawValue)")
    label = "snapshot"
  }

  override func prepareForDeletion() {
    super.prepareForDeletion()
    events.append("prepareForDeletion \(isDeleted)")
  }

  override func willSave() {
    super.willSave()
    events.append("willSave")
    whenSaving?(self)
  }

  override func didSave() {
    super.didSave()
    events.append("didSave \(hasChanges)")
  }

  override func willTurnIntoFault() {
    super.willTurnIntoFault()
    events.append("willTurnIntoFault \(isFault) \(name ?? "nil")")
  }

  override func didTurnIntoFault() {
    super.didTurnIntoFault()
    events.append("didTurnIntoFault \(isFault)")
  }
}

/// An object that checks its own values.
final class Account: NSManagedObject {
  var owner: String? {
    get { managedValue("owner") }
    set { setManagedValue(newValue, "owner") }
  }
  var balance: Int64 {
    get { managedValue("balance") }
    set { setManagedValue(newValue, "balance") }
  }
  var limit: Int64 {
    get { managedValue("limit") }
    set { setManagedValue(newValue, "limit") }
  }
  /// Whether the account may not be deleted.
  var isLocked = false

  override func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
    forKey key: String
  ) throws {
    switch key {
    case "owner":
      let trimmed = (value.pointee as? String)?.trimmingCharacters(in: .whitespaces)
      if trimmed != value.pointee as? String { value.pointee = trimmed as AnyObject? }
    case "balance" where (value.pointee as? Int64) == 13:
      throw CocoaError(.managedObjectValidation, userInfo: [NSValidationKeyErrorKey: "balance"])
    default: break
    }
    try super.validateValue(value, forKey: key)
  }

  override func validateForInsert() throws {
    try super.validateForInsert()
    try checkBalance("insert")
  }

  override func validateForUpdate() throws {
    try super.validateForUpdate()
    try checkBalance("update")
  }

  override func validateForDelete() throws {
    try super.validateForDelete()
    if isLocked {
      throw CocoaError(.managedObjectValidation, userInfo: [NSLocalizedDescriptionKey: "locked"])
    }
  }

  private func checkBalance(_ when: String) throws {
    if balance < limit {
      throw CocoaError(.managedObjectValidation, userInfo: [NSLocalizedDescriptionKey: "\(when): too low"])
    }
  }
}

final class Country: NSManagedObject {
  var code: String? {
    get { managedValue("code") }
    set { setManagedValue(newValue, "code") }
  }
  var name: String? {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }
  var area: Int64 {
    get { managedValue("area") }
    set { setManagedValue(newValue, "area") }
  }
  var towns: Set<Town> {
    get { managedValue("towns") }
    set { setManagedValue(newValue, "towns") }
  }
}

class Town: NSManagedObject {
  final var name: String? {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }
  final var region: String? {
    get { managedValue("region") }
    set { setManagedValue(newValue, "region") }
  }
  final var country: Country? {
    get { managedValue("country") }
    set { setManagedValue(newValue, "country") }
  }
}

final class Capital: Town {}

final class Album: NSManagedObject {
  var name: String? {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }
  var photos: Set<Photo> {
    get { managedValue("photos") }
    set { setManagedValue(newValue, "photos") }
  }
}

final class Photo: NSManagedObject {
  var size: Int64 {
    get { managedValue("size") }
    set { setManagedValue(newValue, "size") }
  }
  var album: Album? {
    get { managedValue("album") }
    set { setManagedValue(newValue, "album") }
  }
}

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

  /// The object in another context, which saves a change of it.
  func changeElsewhere<Object: NSManagedObject>(_ object: Object, _ change: (Object) -> Void) throws {
    let other = newContext()
    guard let same = try other.existingObject(with: object.objectID) as? Object else { return }
    change(same)
    try other.save()
  }
}
