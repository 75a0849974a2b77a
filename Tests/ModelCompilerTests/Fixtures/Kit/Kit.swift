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
