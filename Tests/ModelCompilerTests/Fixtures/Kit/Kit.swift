public import CoreData

/// A class of another module that descends from managed objects, with a type that its subclasses can name.
open class KitObject: NSManagedObject {
  public enum Rank: Int16 { case low, high }
  @NSManaged open var kitName: String?
}

public enum KitColor: String { case red, green }
public struct KitPoint: Hashable, Codable { public var x = 0; public init() {} }
public protocol KitThing { typealias Label = String }
public final class KitBox<Content>: NSObject { public struct Lid {} }
public typealias KitDate = Date
public typealias KitPair<Value: Hashable> = [Value: Value]

public enum KitSpace {
  public class Deep: KitObject {
    @NSManaged public var depth: Int32
  }
}

enum KitHidden { case hidden }

extension KitObject {
  @NSManaged public func addToParts(_ value: KitObject)
  @NSManaged var internalName: String?

  /// Small enough to be optimised into another module.
  public func rename() { internalName = kitName }
}

/// What other modules ask of the class through a protocol.
public protocol KitNamed: AnyObject {
  var kitName: String? { get set }
}
extension KitObject: KitNamed {}

/// Members of all kinds that other modules may use, be it from code that is compiled into them.
public final class KitLeaf: KitObject {
  @NSManaged public var weight: Double
  @NSManaged package var packaged: [String]
  @NSManaged @usableFromInline var hint: Int
  @NSManaged dynamic public var changing: Date?
  @NSManaged @inline(never) public var apart: String?
  @NSManaged public internal(set) var shown: Int

  @inlinable public func doubledHint() -> Int {
    hint += 1
    return hint * 2
  }
  @inlinable public var title: String? { kitName.map { "\($0) \(weight)" } }
  public func show() { shown += 1 }
}
