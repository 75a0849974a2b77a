import CoreData
import Kit

enum Mood: Int16 { case good, bad }
struct Place: Codable, Hashable { var latitude = 0.0 }
final class Drawing: NSObject {}
struct Box<Content> {
  var content: Content
  struct Lid<Edge> { var edge: Edge }
}
protocol Named { var name: String? { get set } }
protocol Aged {}
typealias Stamp = Date
typealias Tags = Set<Tag>
typealias Pair<One: Hashable> = [One: One]
typealias Bookish = Aged & Named

public class Note: NSManagedObject, Named {
  enum Kind: String { case short, long }
  typealias Moment = Stamp

  // Scalars
  @NSManaged var int: Int
  @NSManaged var int16: Int16
  @NSManaged var int32: Int32
  @NSManaged var int64: Int64
  @NSManaged var bool: Bool
  @NSManaged var double: Double
  @NSManaged var float: Float
  @NSManaged var interval: TimeInterval
  @NSManaged var swiftInt: Swift.Int
  // Optional and implicitly unwrapped values
  @NSManaged public var name: String?
  @NSManaged var forced: String!
  @NSManaged var spelled: Optional<String>
  @NSManaged var twice: String??
  @NSManaged var date: Date?, end: Date?, start: Foundation.Date
  @NSManaged var one, two: Int
  // Relationships
  @NSManaged var tag: Tag?
  @NSManaged var note: Note?
  @NSManaged var tags: NSSet?
  @NSManaged var steps: NSOrderedSet?
  @NSManaged var typed: Set<Tag>
  @NSManaged var typedOptional: Set<Tag>?
  @NSManaged var list: [Tag]
  @NSManaged var listOptional: Array<Tag>?
  @NSManaged var notes: Set<Note>
  @NSManaged var kitObjects: Set<KitObject>
  @NSManaged var base: NSManagedObject?
  @NSManaged var objectIDs: [NSManagedObjectID]
  // Enumerations, aliases and other types
  @NSManaged var kind: Kind
  @NSManaged var kindOptional: Note.Kind?
  @NSManaged var mood: Mood
  @NSManaged var color: KitColor
  @NSManaged var moment: Moment?
  @NSManaged var stamp: Stamp
  @NSManaged var aliasTags: Tags?
  @NSManaged var pair: Pair<String>
  @NSManaged var kitDate: KitDate?
  @NSManaged var kitPair: KitPair<KitPoint>
  @NSManaged var place: Place?
  @NSManaged var drawing: Drawing?
  @NSManaged var kitPoint: Kit.KitPoint
  @NSManaged var names: [String]
  @NSManaged var dictionary: [String: Any]
  @NSManaged var nested: [String: [Int: Date?]]?
  @NSManaged var box: Box<Int>
  @NSManaged var boxes: Box<Box<Tag>?>
  @NSManaged var lid: Box<Int>.Lid<String>
  @NSManaged var kitLid: KitBox<Date>.Lid?
  @NSManaged var anything: Any?
  @NSManaged var object: AnyObject?
  @NSManaged var named: (any Named)?
  @NSManaged var both: any Named & Aged
  @NSManaged var bookish: (any Bookish)?
  @NSManaged var codable: (any Codable)?
  @NSManaged var sendable: any Sendable
  @NSManaged var error: (any Error)?
  @NSManaged var tuple: (Int, String)
  @NSManaged var labelled: (x: Int, y: Tag?)
  @NSManaged var type: Note.Type
  @NSManaged var anyClass: AnyClass
  @NSManaged var anyType: Any.Type
  @NSManaged var range: NSRange
  @NSManaged var notification: Notification.Name?
  @NSManaged var closed: ClosedRange<Int>
  @NSManaged var index: String.Index

  // Names
  @NSManaged var noteNote: Note?
  @NSManaged var noteBookNote: Int
  @NSManaged var Note: Int
  @NSManaged var NoteBook: Int
  @NSManaged var tagTag: Tag?
  @NSManaged var aB: Int
  @NSManaged var URLString: Int
  @NSManaged var x1y2Z3: Int
  @NSManaged var _hidden: Int
  @NSManaged var snake_case_tag: Int
  @NSManaged var Tag_: Tag?
  @NSManaged var größe: Double
  @NSManaged var été_1: Int
  @NSManaged var 日本語: String
  @NSManaged var 😀: Int
  @NSManaged var `class`: String?
  @NSManaged var `default`: Int
  @NSManaged var `in`: Tag?
  @NSManaged var string: String
  @NSManaged var gvg: Int

  // Access
  @NSManaged private var primitiveName: String?
  @NSManaged private var secret: Tag?
  @NSManaged fileprivate var almostSecret: Date?
  @NSManaged private(set) var readOnly: Date?
  @NSManaged public internal(set) var shown: Date?
  @NSManaged package var packaged: [Date]
  @NSManaged private func addToSecrets(_ value: Tag)

  func useSecrets() -> String? {
    primitiveName = "primitive"
    secret = tag
    almostSecret = date
    readOnly = date
    if let secret { addToSecrets(secret) }
    return primitiveName
  }

  // Accessors of to-many relationships
  @NSManaged func addToTags(_ value: Tag)
  @NSManaged func removeFromTags(_ value: Tag)
  @NSManaged func addToTags(_ values: NSSet)
  @NSManaged func removeFromTags(_ values: NSSet)
  @NSManaged func addToSteps(_ values: NSOrderedSet)
  @NSManaged func insertIntoSteps(_ value: Tag, at idx: Int)
  @NSManaged func removeFromSteps(at idx: Int)
  @NSManaged func insertIntoSteps(_ values: [Tag], at indexes: NSIndexSet)
  @NSManaged func removeFromSteps(at indexes: NSIndexSet)
  @NSManaged func replaceSteps(at idx: Int, with value: Tag)
  @NSManaged func replaceSteps(at indexes: NSIndexSet, with values: [Tag])
  @NSManaged func addNotesObject(_ value: Note)
  @NSManaged func addNotes(_ values: Set<Note>)
  #if canImport(ObjectiveC)
    @objc(removeNotesObject:)
  #endif
  @NSManaged func leave(_ value: Note)
}

public class Tag: NSManagedObject {
  #if canImport(ObjectiveC)
    @objc
  #endif
  @NSManaged public var title: String?

  #if os(Linux) || os(Android) || os(Windows)
    @NSManaged var here: String?
  #else
    @NSManaged var here: NSString?
  #endif

  #if canImport(UIKit)
    @NSManaged var colour: UIColor?
  #elseif DEBUG
    @NSManaged var colour: String?
  #else
    @NSManaged var colour: Data?
  #endif
}
