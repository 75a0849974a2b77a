import CoreData
import Kit

// Extensions, nested types, other modules, private types.

extension Note {
  @NSManaged var inExtension: String?
  @NSManaged package var packagedInExtension: Tag?
  enum InExtension { case one }
  class Page: NSManagedObject {
    @NSManaged var number: Int
    @NSManaged var note: Note?
    @NSManaged var pages: Set<Page>
    @NSManaged var kind: Kind
    @NSManaged var inExtension: InExtension
    enum Kind { case left, right }
  }
}

extension Note {
  @NSManaged public var publicInExtension: Set<Tag>?
}

extension Note {
  @NSManaged fileprivate var privateInExtension: String?
  fileprivate class Leaf: NSManagedObject {
    @NSManaged var number: Int
  }
}

extension Note {
  fileprivate func useExtension() {
    privateInExtension = "x"
    privateInExtension?.append("y")
    Leaf().number = 2
  }
}

enum Space {
  struct Inner {
    class Star: NSManagedObject {
      @NSManaged var name: String?
      @NSManaged var star: Star?
      @NSManaged var stars: [Star: Star]
      @NSManaged var size: Size
      @NSManaged var outer: Outer
      // The nested type hides the one of Foundation.
      @NSManaged var date: Date
      struct Size {}
      enum Date { case now }
    }
    enum Outer { case far }
  }
}

extension Space.Inner.Star {
  @NSManaged var late: Size?
  @NSManaged var foundationDate: Foundation.Date
  @NSManaged var Star: Space.Inner.Star
}

class Child: KitObject {
  @NSManaged var rank: Rank
  @NSManaged var label: Kit.KitThing.Label?
  @NSManaged var deep: KitSpace.Deep?
  @NSManaged var kitName2: String?
}
extension Child: KitThing {}

extension KitObject {
  @NSManaged var added: Child?
  class Added: NSManagedObject {
    @NSManaged var object: KitObject?
    @NSManaged var other: Added?
  }
}

extension KitSpace.Deep {
  @NSManaged var deeper: KitSpace.Deep?
}

extension String {
  class Holder: NSManagedObject {
    @NSManaged var text: String
    @NSManaged var holder: Holder?
  }
}

private class Hidden: NSManagedObject {
  @NSManaged var title: String?
  @NSManaged var next: Hidden?
  @NSManaged private var inner: Int
  @NSManaged var tags: Set<Tag>?
  @NSManaged var list: [Hidden]
  @NSManaged var all: Set<Hidden>?
  @NSManaged func addToTags(_ value: Tag)
  class Deeper: NSManagedObject {
    @NSManaged var title: String?
    @NSManaged var above: Hidden
  }
  static func run() -> Bool {
    let hidden = Hidden()
    hidden.title = "hidden"
    hidden.title?.append("!")
    hidden.next = hidden
    hidden.inner = 5
    hidden.tags = [Tag()]
    hidden.addToTags(Tag())
    hidden.list = [hidden]
    hidden.list.append(Hidden())
    hidden.all = [hidden]
    hidden.all?.insert(hidden)
    guard hidden.list.count == 2, hidden.list[0].title == "hidden!", hidden.all?.first?.inner == 5 else {
      return false
    }
    let deeper = Deeper()
    deeper.title = hidden.next?.title
    deeper.above = hidden
    return deeper.above.title == "hidden!" && hidden[keyPath: \.inner] == 5 && hidden.tags?.count == 1
      && deeper.title == "hidden!" && hidden.log == ["add tags"]
  }
}

class Base: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var base: Base?
}
class Derived: Base {
  @NSManaged override var name: String?
  override var base: Base? {
    get { super.base }
    set { super.base = newValue }
  }
}

@MainActor class Shown: NSManagedObject {
  @NSManaged var text: String?
}

@available(*, deprecated)
class Old: NSManagedObject {
  @NSManaged var old: Old?
  @available(*, deprecated, message: "gone")
  @NSManaged var older: Old?
}

class AbcDefGhi {
  class JklMnoPqr {
    class StuVwxYza {
      class BcdEfgHij: NSManagedObject {
        @NSManaged var abcDef: AbcDefGhi
        @NSManaged var jklMnoPqrStu: JklMnoPqr?
        @NSManaged var a:
          (AbcDefGhi, JklMnoPqr, StuVwxYza, BcdEfgHij, BcdEfgHij, Date, Data, UUID, URL, Decimal, IndexSet)
        @NSManaged var MyAbcGhi_Def: Int
      }
    }
  }
}

/// Makes sure that all private accessors are called, and that values come back.
func usePlaces() -> Bool {
  let note = Note()
  note.useExtension()
  let derived = Derived()
  derived.name = "derived"
  derived.base = derived
  return Hidden.run() && derived.base?.name == "derived"
}
