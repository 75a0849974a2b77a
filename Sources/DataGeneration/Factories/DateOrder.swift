import CoreData
import Foundation

/// The dates of an object that begin something, and those that end it.
struct DateOrder {
  private static let beginnings: Set<String> = [
    "start", "starts", "started", "begin", "begins", "began", "beginning", "from", "open", "opens", "opened",
    "created",
    "departure", "departs", "joined",
  ]
  private static let ends: Set<String> = [
    "end", "ends", "ended", "ending", "finish", "finishes", "finished", "until", "to", "close", "closes",
    "closed", "due",
    "expires", "expired", "expiry", "arrival", "arrives", "left", "completed", "updated", "modified",
    "changed", "deleted",
  ]

  private let seed: UInt64
  private var beginnings: [NSAttributeDescription] = []
  private var ends: [NSAttributeDescription] = []

  init(_ attributes: [NSAttributeDescription], seed: UInt64) {
    self.seed = RandomNumbers.mixed(seed ^ RandomNumbers.hash("dates"))
    for attribute in attributes where attribute.attributeType == .dateAttributeType {
      let words = Self.words(of: attribute.name)
      if !Self.ends.isDisjoint(with: words) {
        ends.append(attribute)
      } else if !Self.beginnings.isDisjoint(with: words) {
        beginnings.append(attribute)
      }
    }
  }

  /// `startsAt` has the words `starts` and `at`.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    for character in name {
      if !character.isLetter || character.isUppercase {
        words.append(word)
        word = ""
      }
      if character.isLetter { word += character.lowercased() }
    }
    return words + [word]
  }

  /// Moves generated ends after their beginnings, and generated beginnings before ends that were given.
  func write(to object: NSManagedObject, number: UInt64, isMade: (String) -> Bool) {
    var random = RandomNumbers(seed: seed, number: number)
    func date(_ attribute: NSAttributeDescription) -> Date? { object.value(forKey: attribute.name) as? Date }
    func move(_ attribute: NSAttributeDescription, date: Date, direction: Double) {
      let hours = Double(1 + random.next(below: 24 * 30))
      let moved = date.addingTimeInterval(direction * hours * 3600)
      if attribute.allows(moved) { object.setValue(moved, forKey: attribute.name) }
    }
    if let end = ends.filter({ !isMade($0.name) }).compactMap(date).min() {
      for beginning in beginnings where isMade(beginning.name) && date(beginning).map({ $0 >= end }) == true {
        move(beginning, date: end, direction: -1)
      }
    }
    guard let beginning = beginnings.compactMap(date).max() else { return }
    for end in ends where isMade(end.name) && date(end).map({ $0 <= beginning }) == true {
      move(end, date: beginning, direction: 1)
    }
  }
}
