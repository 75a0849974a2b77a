import CoreData
import Foundation
import TestModels

/// A class with custom accessors, computed properties and methods that key-value coding finds by name.
class Song: NSManagedObject {
  enum Mood: Int16 { case sad = 1, glad = 2 }

  /// A custom accessor of an attribute, which returns the title in upper case.
  var title: String? {
    get { (primitiveValue(forKey: "title") as? String)?.uppercased() }
    set {
      willChangeValue(forKey: "title")
      setPrimitiveValue(newValue, forKey: "title")
      didChangeValue(forKey: "title")
    }
  }
  var seconds: Int32 {
    get { managedValue("seconds") }
    set { setManagedValue(newValue, "seconds") }
  }
  /// Has the name of an attribute, but no declaration makes it known to key-value coding.
  var remark: String? { "hidden" }
  var minutes: Int { Int(seconds) / 60 }
  var isLong: Bool { seconds > 300 }
  var mood: Mood? = .sad
  var rank = 0
  func label() -> String { "\(title ?? "") \(minutes)" }

  var undefined: [String: Any] = [:]
  var nilKeys: [String] = []

  override func value(forUndefinedKey key: String) -> Any? {
    if key == "nothing" { return nil }
    return undefined[key] ?? super.value(forUndefinedKey: key)
  }

  override func setValue(_ value: Any?, forUndefinedKey key: String) {
    if key == "refused" { return super.setValue(value, forUndefinedKey: key) }
    undefined[key] = value
  }

  override func setNilValueForKey(_ key: String) {
    nilKeys.append(key)
    if key == "seconds" { seconds = 180 }
  }

  func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    guard let text = value.pointee as? String else { return }
    if text.hasPrefix("bad") { throw CocoaError(.validationStringPatternMatching) }
    if text.hasSuffix(" ") { value.pointee = String(text.dropLast()) as AnyObject }
  }

  class func keyPathsForValuesAffectingMinutes() -> Set<String> { ["seconds"] }
}

final class Ballad: Song {
  override var minutes: Int { 99 }
  var verses: Int { 3 }
}

extension NSManagedObject {
  var entityLabel: String { entity.name ?? "" }
}

/// The declarations that the plugin generates for a target with these classes.
final class _ManagedObjectKeyedMembers: KeyedMembers {
  override class func declare(in list: KeyedMemberList) {
    list.add("title", \Song.title)
    list.addScalar("seconds", of: Song.self)
    list.add("remark", reading: \Song.remark, isShown: false)
    list.add("minutes", reading: \Song.minutes, isShown: false)
    list.add("isLong", reading: \Song.isLong)
    list.add("mood", \Song.mood)
    list.add("rank", \Song.rank)
    list.add("label", calling: { (song: Song) in song.label() })
    list.addValidation("Title") { (song: Song) in song.validateTitle }
    list.addKeyPaths("Minutes", of: Song.self) { Song.keyPathsForValuesAffectingMinutes() }
    list.add("verses", reading: \Ballad.verses, isShown: false)
    list.add("entityLabel", reading: \NSManagedObject.entityLabel, isShown: false)
    list.addClass(Song.self, checksValues: false) { Song(entity: $0, insertInto: $1) }
    list.addClass(Ballad.self, checksValues: false) { Ballad(entity: $0, insertInto: $1) }
  }
}

enum SongModel {
  static let shared: NSManagedObjectModel = {
    let attributes = [
      makeAttribute("title"), makeAttribute("seconds", .integer32AttributeType), makeAttribute("remark"),
    ]
    let song = makeEntity("Song", Song.self, attributes)
    let ballad = makeEntity("Ballad", Ballad.self)
    song.subentities = [ballad]
    let model = NSManagedObjectModel()
    model.entities = [song, ballad]
    return model
  }()
}

extension Stack {
  static func songs(_ kind: StoreKind) throws -> Stack { try Stack(kind, model: SongModel.shared) }

  @discardableResult
  func song(_ title: String, _ seconds: Int32) -> Song {
    let song = Song(context: context)
    song.title = title
    song.seconds = seconds
    return song
  }
}
