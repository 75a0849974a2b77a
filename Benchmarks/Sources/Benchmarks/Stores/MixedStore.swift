import CoreData
import Foundation

/// A store of objects with attributes of many types.
final class MixedStore {
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MixedStore.model)

  init(_ url: URL) throws { try coordinator.addPersistentStore(type: .sqlite, at: url) }

  func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  static func make(_ files: SampleFiles, count: Int) throws -> URL {
    let url = files.emptyFile()
    let context = try MixedStore(url).context()
    for number in 0..<count { Mixed(context: context).fill(number) }
    try context.save()
    return url
  }

  /// The statement that reads all values, in the order of the types that read columns by index.
  static let query = """
    SELECT Z_PK, Z_OPT, ZNUMBER, ZRANK, ZRATIO, ZISDONE, ZTITLE, ZBODY, ZCREATEDAT, ZIDENTIFIER, ZPRICE
    FROM ZMIXED
    """

  static let model: NSManagedObjectModel = {
    let entity = NSEntityDescription()
    entity.name = "Mixed"
    entity.managedObjectClassName = NSStringFromClass(Mixed.self)
    entity.properties = [
      attribute("number", .integer64AttributeType), attribute("rank", .integer64AttributeType),
      attribute("ratio", .doubleAttributeType), attribute("isDone", .booleanAttributeType),
      attribute("title", .stringAttributeType), attribute("body", .stringAttributeType),
      attribute("createdAt", .dateAttributeType), attribute("identifier", .UUIDAttributeType),
      attribute("price", .decimalAttributeType),
    ]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = name == "rank"
    return attribute
  }
}

/// An object with texts of 20 and of 200 bytes, a date, a UUID, a decimal number, and an integer that one
/// third of the objects lack.
final class Mixed: NSManagedObject {
  var number: Int64 {
    get { managedValue("number") }
    set { setManagedValue(newValue, "number") }
  }
  var rank: Int64? {
    get { managedValue("rank") }
    set { setManagedValue(newValue, "rank") }
  }
  var ratio: Double {
    get { managedValue("ratio") }
    set { setManagedValue(newValue, "ratio") }
  }
  var isDone: Bool {
    get { managedValue("isDone") }
    set { setManagedValue(newValue, "isDone") }
  }
  var title: String {
    get { managedValue("title") }
    set { setManagedValue(newValue, "title") }
  }
  var body: String {
    get { managedValue("body") }
    set { setManagedValue(newValue, "body") }
  }
  var createdAt: Date {
    get { managedValue("createdAt") }
    set { setManagedValue(newValue, "createdAt") }
  }
  var identifier: UUID {
    get { managedValue("identifier") }
    set { setManagedValue(newValue, "identifier") }
  }
  var price: Decimal {
    get { managedValue("price") }
    set { setManagedValue(newValue, "price") }
  }

  func fill(_ row: Int) {
    number = Int64(row)
    rank = row % 3 == 0 ? nil : Int64(row % 100)
    ratio = Double(row) / 7
    isDone = row.isMultiple(of: 2)
    title = Self.text(row, bytes: 20)
    body = Self.text(row, bytes: 200)
    createdAt = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(row) / 4)
    identifier = Self.uuid(row)
    price = Decimal(sign: row % 7 == 0 ? .minus : .plus, exponent: -2, significand: Decimal(row + 1))
  }

  var digest: Int64 {
    MixedDigest.of(number, rank, ratio, isDone, title, body, createdAt, identifier, price)
  }

  private static func text(_ row: Int, bytes: Int) -> String {
    let number = String(row)
    return String(repeating: "x", count: bytes - number.utf8.count) + number
  }

  /// A UUID from the row's number, which a multiplication spreads over the bits.
  private static func uuid(_ row: Int) -> UUID {
    let spread = UInt64(row + 1) &* 0x9E37_79B9_7F4A_7C15
    return UUID(uuid: withUnsafeBytes(of: (spread, spread &* 31)) { $0.loadUnaligned(as: uuid_t.self) })
  }
}

/// A digest of all values of a mixed object. Contenders with equal digests have read the same values.
enum MixedDigest {
  static func of(
    _ number: Int64,
    _ rank: Int64?,
    _ ratio: Double,
    _ isDone: Bool,
    _ title: String,
    _ body: String,
    _ createdAt: Date,
    _ identifier: UUID,
    _ price: Decimal
  ) -> Int64 {
    let numbers = number &+ (rank ?? -1) &+ Int64(bitPattern: ratio.bitPattern) &+ (isDone ? 1 : 0)
    let texts = Int64(title.utf8.count &+ body.utf8.count)
    let moment = Int64(bitPattern: createdAt.timeIntervalSinceReferenceDate.bitPattern)
    let others = Int64(identifier.uuid.0) &+ Int64(identifier.uuid.15) &+ (price.isSignMinus ? 1 : 0)
    return numbers &+ texts &+ moment &+ others
  }
}
