import CoreData
import Foundation
import Testing

/// A delegate, which makes a controller track its context.
private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
}

@Suite("Members of classes by key")
struct KeyedMemberTests {
  @Test("a computed property, a method and an enumeration are read by key", arguments: StoreKind.allCases)
  func reading(_ kind: StoreKind) throws {
    let song = try Stack.songs(kind).song("one", 400)
    #expect(song.value(forKey: "minutes") as? Int == 6)
    #expect(song.value(forKey: "minutes") is NSNumber)
    #expect(song.value(forKey: "long") as? Bool == true)
    #expect(song.value(forKey: "isLong") as? Bool == true)
    #expect(song.value(forKey: "mood") as? Int == 1)
    #expect(song.value(forKey: "label") as? String == "ONE 6")
    #expect(song.value(forKey: "entityLabel") as? String == "Song")
    #expect(song.value(forKeyPath: "minutes") as? Int == 6)
    #expect(
      song.dictionaryWithValues(forKeys: ["minutes", "rank"]) as? [String: Int] == ["minutes": 6, "rank": 0]
    )
  }

  // The tests' incremental store evaluates predicates with objects.
  @Test("custom accessors are used to get and set values by key", arguments: StoreKind.keepingRules)
  func customAccessors(_ kind: StoreKind) throws {
    let stack = try Stack.songs(kind)
    let song = stack.song("one", 1)
    #expect(song.value(forKey: "title") as? String == "ONE")
    song.setValue("two", forKey: "title")
    #expect(song.primitiveValue(forKey: "title") as? String == "two")
    #expect(song["title"] as? String == "TWO")
    try stack.save()
    #expect(try stack.fetch(Song.self, "title == 'two'", in: stack.newContext()).count == 1)
  }

  @Test("a model property takes precedence over an undeclared one", arguments: StoreKind.allCases)
  func modelFirst(_ kind: StoreKind) throws {
    let song = try Stack.songs(kind).song("one", 1)
    song.setValue("seen", forKey: "remark")
    #expect(song.value(forKey: "remark") as? String == "seen")
  }

  @Test("a subclass has what its superclass has, overridden, and its own", arguments: StoreKind.allCases)
  func inheritance(_ kind: StoreKind) throws {
    let ballad = Ballad(context: try Stack.songs(kind).context)
    ballad.setValue("slow", forKey: "title")
    #expect(ballad.value(forKey: "title") as? String == "SLOW")
    #expect(ballad.value(forKey: "minutes") as? Int == 99)
    #expect(ballad.value(forKey: "verses") as? Int == 3)
    #expect(ballad.value(forKey: "entityLabel") as? String == "Ballad")
  }

  @Test("properties are set by key: numbers, raw values, nil", arguments: StoreKind.allCases)
  func writing(_ kind: StoreKind) throws {
    let song = try Stack.songs(kind).song("one", 1)
    song.setValue(NSNumber(value: 7), forKey: "rank")
    #expect(song.rank == 7)
    song.setValue(2, forKey: "mood")
    #expect(song.mood == .glad)
    song.setValue(Song.Mood.sad, forKey: "mood")
    #expect(song.mood == .sad)
    song.setValue(nil, forKey: "mood")
    #expect(song.mood == nil && song.value(forKey: "mood") == nil)
    song.setValuesForKeys(["rank": 9, "mood": 1])
    #expect(song.rank == 9 && song.mood == .sad)
  }

  @Test("nil for a key that cannot be nil calls setNilValueForKey", arguments: StoreKind.allCases)
  func nilValues(_ kind: StoreKind) throws {
    let song = try Stack.songs(kind).song("one", 1)
    song.setValue(nil, forKey: "seconds")
    song.setValue(nil, forKey: "rank")
    song.setValue(nil, forKey: "title")
    #expect(song.nilKeys == ["seconds", "rank"])
    #expect(song.seconds == 180 && song.title == nil)
  }

  @Test("unknown keys call the methods for undefined keys", arguments: StoreKind.allCases)
  func undefinedKeys(_ kind: StoreKind) throws {
    let song = try Stack.songs(kind).song("one", 1)
    song.setValue("x", forKey: "stamp")
    #expect(song.value(forKey: "stamp") as? String == "x")
    #expect(song.value(forKey: "nothing") == nil)
    #expect(try song.checkedValue(forKey: "stamp") as? String == "x")
    #expect(try song.checkedValue(forKey: "nothing") == nil)
    let error = #expect(throws: NSError.self) { try song.checkedValue(forKey: "unknown") }
    #expect(error?.localizedDescription.contains("no property named unknown") == true)
  }

  @Test("an unknown key stops the program with a list of the existing ones")
  func failures() async {
    await #expect(processExitsWith: .failure) {
      let stack = try Stack.songs(.inMemory)
      _ = stack.song("one", 1).value(forKey: "unknown")
    }
    await #expect(processExitsWith: .failure) {
      let stack = try Stack.songs(.inMemory)
      stack.song("one", 1).setValue(1, forKey: "refused")
    }
    await #expect(processExitsWith: .failure) {
      let stack = try Stack.songs(.inMemory)
      stack.song("one", 1).setValue("text", forKey: "rank")
    }
    await #expect(processExitsWith: .failure) {
      let stack = try Stack.songs(.inMemory)
      stack.song("one", 1).setValue(1, forKey: "minutes")
    }
  }

  @Test("predicates and sort descriptors in memory read computed properties", arguments: StoreKind.allCases)
  func inMemory(_ kind: StoreKind) throws {
    let stack = try Stack.songs(kind)
    let songs = [stack.song("a", 400), stack.song("b", 60), stack.song("c", 130)]
    let predicate = try NSPredicate(parsing: "minutes >= 2 AND label ENDSWITH '2'", arguments: [])
    #expect(songs.filter(predicate.evaluate(with:)).compactMap(\.title) == ["C"])
    let byKey = (songs as NSArray).sortedArray(using: [NSSortDescriptor(key: "minutes", ascending: true)])
    #expect((byKey as? [Song])?.compactMap(\.title) == ["B", "C", "A"])
    let byKeyPath = NSSortDescriptor(keyPath: \Song.minutes, ascending: false)
    #expect(byKeyPath.key == "minutes")
  }

  @Test(
    "a fetch by a computed property is an error, because the store does not have it",
    arguments: StoreKind.keepingRules
  )
  func fetching(_ kind: StoreKind) throws {
    let stack = try Stack.songs(kind)
    stack.song("a", 400)
    try stack.save()
    #expect(throws: NSError.self) { try stack.fetch(Song.self, "minutes > 2") }
  }

  @Test("fetched results have sections by a computed property", arguments: StoreKind.allCases)
  func sections(_ kind: StoreKind) throws {
    let stack = try Stack.songs(kind)
    for (title, seconds) in [("a", 30), ("b", 45), ("c", 90)] as [(String, Int32)] {
      stack.song(title, seconds)
    }
    try stack.save()
    let request = NSFetchRequest<Song>(entityName: "Song")
    request.sortDescriptors = [NSSortDescriptor(key: "seconds", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: stack.context,
      sectionNameKeyPath: "minutes",
      cacheName: nil
    )
    let follower = Follower()
    controller.delegate = follower
    try controller.performFetch()
    #expect(controller.sections?.map(\.name) == ["0", "1"])
    #expect(controller.sections?.map(\.numberOfObjects) == [2, 1])
    controller.object(at: IndexPath(item: 1, section: 0)).seconds = 70
    stack.context.processPendingChanges()
    #expect(controller.sections?.map(\.numberOfObjects) == [1, 2])
  }

  @Test(
    "a save calls the method that validates a key, which may refuse or better the value",
    arguments: StoreKind.allCases
  )
  func validation(_ kind: StoreKind) throws {
    let stack = try Stack.songs(kind)
    let song = stack.song("bad", 1)
    let error = #expect(throws: NSError.self) { try stack.context.save() }
    #expect(error?.code == CocoaError.validationStringPatternMatching.rawValue)
    song.title = "good "
    try stack.save()
    #expect(song.title == "GOOD")
    var value: AnyObject? = "bad" as NSString
    #expect(throws: NSError.self) { try song.validateValue(&value, forKey: "title") }
  }

  @Test("a class declares the key paths on which a key depends")
  func dependencies() {
    #expect(Song.keyPathsForValuesAffectingValue(forKey: "minutes") == ["seconds"])
    #expect(Ballad.keyPathsForValuesAffectingValue(forKey: "minutes") == ["seconds"])
    #expect(Song.keyPathsForValuesAffectingValue(forKey: "title").isEmpty)
  }
}
