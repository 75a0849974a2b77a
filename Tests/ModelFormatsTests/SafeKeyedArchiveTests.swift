import Foundation
import Testing

@testable import ModelFormats
@testable import PropertyLists

@Suite("Archives of plain objects")
struct PlainArchiveTests {
  private static func objects() -> [NSObject] {
    let url = NSURL(string: "b?c=d", relativeTo: URL(string: "https://example.org/a/"))
    return [
      NSString(string: "text ü"), NSString(string: "$null"), NSNumber(value: 5), NSNumber(value: Int64.min),
      NSNumber(value: UInt64.max), NSNumber(value: 1.5), NSNumber(value: true), NSData(data: Data([1, 2])),
      NSDate(timeIntervalSinceReferenceDate: 1.25), NSUUID(), NSNull(), url ?? NSURL(fileURLWithPath: "/"),
      NSArray(array: [1, "a", ["b", 2.5]]),
      NSDictionary(dictionary: ["a": [1, 2], "b": Date(timeIntervalSince1970: 0)]),
      NSSet(array: ["x", "y"]), NSOrderedSet(array: ["z", 1]), NSMutableArray(array: [1]),
      NSMutableString(string: "m"), NSMutableData(data: Data([3])), NSMutableDictionary(dictionary: ["k": 1]),
      NSMutableSet(array: [1, 2]), NSMutableOrderedSet(array: [2, 1]), NSArray(array: []), NSDictionary(),
    ]
  }

  private static func read(_ data: Data) throws -> NSObject {
    guard case .plain(let object) = try SafeKeyedArchive.read(data) else {
      throw SafeKeyedArchive.Failure(problem: "not plain")
    }
    return object
  }

  @Test("Archives of plain objects are read back unchanged, and by Foundation too")
  func roundTrip() throws {
    for object in Self.objects() {
      let data = try #require(try SafeKeyedArchive.data(of: object))
      #expect(try Self.read(data).isEqual(object), "\(object)")
      let classes = [type(of: object), NSString.self, NSNumber.self, NSArray.self, NSDate.self, NSURL.self]
      let foundations = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
      #expect((foundations as? NSObject)?.isEqual(object) == true, "\(object)")
    }
  }

  @Test("Archives that Foundation made are read")
  func foundations() throws {
    for object in Self.objects() where !object.isEqual("$null") {
      let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
      #expect(try Self.read(data).isEqual(object), "\(object)")
    }
  }

  @Test(
    "Archives contain decimal numbers exactly",
    arguments: [
      "0", "1.5", "-0.1", "10", "1e127", "1e-128", "99999999999999999999999999999999999999",
      "-12345678901234567890.5",
      "NaN",
    ]
  )
  func decimals(text: String) throws {
    let number = NSDecimalNumber(string: text)
    for object in [number, NSArray(array: [number])] {
      let read = try Self.read(try #require(try SafeKeyedArchive.data(of: object)))
      let value = ((read as? NSArray)?.firstObject as? NSObject ?? read) as? NSDecimalNumber
      #expect(
        value?.decimalValue == number.decimalValue
          || value?.decimalValue.isNaN == true && number.decimalValue.isNaN
      )
    }
    let nested = NSDictionary(dictionary: ["price": Decimal(1.5), "list": [Decimal(2)]])
    let data = try #require(try SafeKeyedArchive.data(of: nested))
    #expect(try Self.read(data).isEqual(nested))
  }

  @Test("Archives of equal objects have the same bytes")
  func sameBytes() throws {
    let keys = (0..<40).map { "key \($0)" }
    let made = try (0..<5).map { _ in
      let dictionary = NSMutableDictionary()
      for key in keys.shuffled() { dictionary.setObject(1, forKey: NSString(string: key)) }
      return try #require(try SafeKeyedArchive.data(of: dictionary))
    }
    #expect(Set(made).count == 1)
  }

  @Test("Archives are not made from other objects, nor from objects that cannot be read back")
  func refused() throws {
    #expect(try SafeKeyedArchive.data(of: Thread.current) == nil)
    #expect(try SafeKeyedArchive.data(of: NSArray(array: [Thread.current])) == nil)
    #expect(try SafeKeyedArchive.data(of: {}) == nil)
    var deep: [Any] = []
    for _ in 0..<600 { deep = [deep] }
    #expect(throws: SafeKeyedArchive.Failure.self) { try SafeKeyedArchive.data(of: deep) }
  }
}

@Suite("Archives that are damaged or made to do harm")
struct HostileArchiveTests {
  /// The error message for an archive; empty if the archive is accepted.
  private func refusal(_ make: (inout KeyedArchiveWriter) -> Int) -> String {
    var writer = KeyedArchiveWriter()
    let root = make(&writer)
    return refusal(of: writer.data(root: root))
  }

  private func refusal(of data: Data) -> String {
    do {
      _ = try SafeKeyedArchive.read(data)
      return ""
    } catch {
      return error.problem
    }
  }

  @Test("An archive in which an object contains itself is refused")
  func cycles() {
    #expect(
      refusal { writer in
        let array = writer.reserve()
        writer.define(array, type: .array, fields: [("NS.objects", .array([.uid(array)]))])
        return array
      }.contains("holds itself")
    )
    #expect(
      refusal { writer in
        let dictionary = writer.reserve()
        let list = writer.collection(.set, uids: [dictionary])
        writer.define(
          dictionary,
          type: .dictionary,
          fields: [("NS.keys", .array([.uid(list)])), ("NS.objects", .array([.uid(list)]))]
        )
        return dictionary
      }.contains("holds itself")
    )
    #expect(
      refusal { writer in
        let url = writer.reserve()
        let text = writer.string("a")
        writer.define(url, type: .url, fields: [("NS.base", .uid(url)), ("NS.relative", .uid(text))])
        return url
      }.contains("holds itself")
    )
  }

  @Test("An archive needs as many values as keys, and objects in its collections")
  func uneven() {
    #expect(
      refusal { writer in
        let text = writer.string("a")
        return writer.object(
          .dictionary,
          fields: [("NS.keys", .array([.uid(text), .uid(text)])), ("NS.objects", .array([.uid(text)]))]
        )
      }.contains("2 keys and 1 values")
    )
    for member in [PropertyListValue.uid(0), .integer(1), .uid(99)] {
      #expect(refusal { $0.object(.array, fields: [("NS.objects", .array([member]))]) } != "")
    }
    #expect(refusal { $0.object(.array, fields: [("NS.objects", .string("a"))]) } != "")
  }

  @Test("An archive with a decimal number that must be hashed is refused")
  func hashedDecimals() {
    for type in [ArchivedClass.set, .mutableSet, .orderedSet, .mutableOrderedSet] {
      let problem = refusal { writer in
        writer.collection(
          type,
          uids: [
            writer.object(.decimalNumber, fields: ArchivedDecimal.fields(of: Decimal(string: "1.5") ?? 0))
          ]
        )
      }
      #expect(problem.contains("decimal number"), "\(type.name): \(problem)")
    }
  }

  @Test("An archive needs every field that a class requires")
  func contents() {
    for (type, fields) in [
      (ArchivedClass.string, []), (.string, [("NS.string", .integer(1))]),
      (.string, [("NS.bytes", .data(Data([0xFF])))]), (.mutableString, [("NS.string", .data(Data()))]),
      (.data, []), (.data, [("NS.data", .string("a"))]), (.date, []), (.date, [("NS.time", .string("a"))]),
      (.date, [("NS.time", .real(.nan))]), (.uuid, []), (.uuid, [("NS.uuidbytes", .data(Data([1])))]),
      (.url, []), (.url, [("NS.relative", .integer(1))]), (.decimalNumber, []),
      (.decimalNumber, [("NS.mantissa", .data(Data([1])))]),
    ] as [(ArchivedClass, [KeyedArchiveWriter.Field])] {
      #expect(refusal { $0.object(type, fields: fields) } != "", "\(type.name) \(fields)")
    }
    #expect(
      refusal { writer in
        let base = writer.object(.date, fields: [("NS.time", .real(1))])
        let text = writer.string("a")
        return writer.object(.url, fields: [("NS.base", .uid(base)), ("NS.relative", .uid(text))])
      }.contains("base")
    )
  }

  @Test("An archive that would crash Foundation when it makes a Swift dictionary or set is refused")
  func swiftCollections() {
    // One text in composed and decomposed form is two keys for Foundation and one for Swift.
    let refused = refusal { writer in
      writer.dictionary(.dictionary, [("\u{E9}", writer.string("a")), ("e\u{301}", writer.string("b"))])
    }
    #expect(refused.contains("equal"))
    #expect(
      refusal { writer in
        let inner = writer.collection(.array, uids: [writer.string("a")])
        return writer.collection(.set, uids: [inner])
      }.contains("collection")
    )
    #expect(
      refusal { writer in
        let key = writer.dictionary(.dictionary, [])
        let fields: [KeyedArchiveWriter.Field] = [
          ("NS.keys", .array([.uid(key)])), ("NS.objects", .array([.uid(writer.string("a"))])),
        ]
        return writer.object(.dictionary, fields: fields)
      }.contains("collection")
    )
  }

  @Test("An archive with 20,000 levels, or with 60 levels that share their children, is refused at once")
  func depthAndExpansion() {
    #expect(
      refusal { writer in
        (0..<20_000).reduce(writer.string("a")) { inner, _ in writer.collection(.array, uids: [inner]) }
      }.contains("deep")
    )
    #expect(
      refusal { writer in
        (0..<60).reduce(writer.string("a")) { inner, _ in writer.collection(.array, uids: [inner, inner]) }
      }.contains("share")
    )
    // Two objects that a thousand others share are accepted.
    #expect(
      refusal { writer in
        let text = writer.string("a")
        let list = writer.collection(.array, uids: Array(repeating: text, count: 100))
        return writer.collection(.array, uids: Array(repeating: list, count: 100))
      } == ""
    )
  }

  @Test("An archive with thousands of members that share one hash is refused")
  func hashes() {
    #expect(
      refusal { writer in
        let members = (0..<5_000).map { writer.collection(.array, uids: [writer.integer(Int64($0))]) }
        return writer.collection(.set, uids: members)
      }.contains("one hash")
    )
  }

  @Test("Archived objects of other classes are named, and their contents are checked as well")
  func others() throws {
    var writer = KeyedArchiveWriter()
    let date = writer.object(.date, fields: [("NS.time", .real(1))])
    let color = writer.object(.truePredicate, fields: [("made", .uid(date))])
    let root = writer.collection(.array, uids: [color])
    guard case .mixed(let outer, let all) = try SafeKeyedArchive.read(writer.data(root: root)) else {
      Issue.record("the archive is not plain")
      return
    }
    #expect(outer == ["NSTruePredicate", "NSArray"])
    #expect(all == ["NSTruePredicate", "NSArray", "NSDate"])
    #expect(
      refusal { writer in
        let broken = writer.object(.string, fields: [])
        return writer.object(.truePredicate, fields: [("name", .uid(broken))])
      } != ""
    )
    #expect(
      refusal { writer in
        let color = writer.reserve()
        writer.define(color, type: .truePredicate, fields: [("parent", .uid(color))])
        return color
      }.contains("holds itself")
    )
  }

  @Test("An archive with any byte missing or changed is read or refused")
  func mutants() throws {
    let object: NSDictionary = [
      "list": [1, 2.5, "a", Date(timeIntervalSinceReferenceDate: 1), Data([1]), NSNull()] as [Any],
      "set": NSSet(array: ["x", "y"]), "ordered": NSOrderedSet(array: [1, 2]),
      "url": NSURL(string: "a", relativeTo: URL(string: "https://example.org/"))
        ?? NSURL(fileURLWithPath: "/"),
      "decimal": NSDecimalNumber(string: "1.5"), "uuid": NSUUID(),
    ]
    let data = try #require(try SafeKeyedArchive.data(of: object))
    for length in 0..<data.count { #expect(refusal(of: data.prefix(length)) != "") }
    var readable = 0
    for index in data.indices {
      for change in [0x01, 0x80, 0xFF] as [UInt8] {
        var mutant = data
        mutant[index] ^= change
        if case .plain(let object)? = try? SafeKeyedArchive.read(mutant) {
          readable += 1
          _ = "\(object)".count
          _ = try? SafeKeyedArchive.data(of: object)
        }
      }
    }
    #expect(readable > 0)
  }
}

@Suite("Models whose archives share their parts")
struct SharedModelPartTests {
  @Test("A model is refused before it expands a predicate of 90 shared levels or an endless text")
  func predicates() {
    var writer = KeyedArchiveWriter()
    var predicate = writer.object(.truePredicate, fields: [])
    for _ in 0..<90 {
      let parts = writer.collection(.array, uids: [predicate, predicate])
      predicate = writer.object(
        .compoundPredicate,
        fields: [("NSCompoundPredicateType", .integer(1)), ("NSSubpredicates", .uid(parts))]
      )
    }
    let data = writer.data(root: predicate)
    let error = #expect(throws: ModelFileError.self) { try PredicateArchive.predicate(from: data) }
    #expect(error?.problem.contains("share their parts") == true)
  }
}
