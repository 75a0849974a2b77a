import CoreData
import Foundation

/// An object that records the calls of its life-cycle methods.
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
  /// A closure that each `willSave()` calls.
  var whenSaving: ((Witness) -> Void)?
  /// The label that each `awakeFromFetch()` sets.
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

/// An object with its own validation.
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
