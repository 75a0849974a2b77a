import CoreData
import Foundation
import Testing

/// A folder and its sheets, with each delete rule for the folder's relationship.
enum FolderModel {
  enum Shape: CaseIterable, Sendable { case toOne, toMany, ordered }

  static func make(_ shape: Shape, _ rule: NSDeleteRule) -> NSManagedObjectModel {
    let (folder, sheet) = (entity("Folder"), entity("Sheet"))
    let sheets = relationship("sheets", folder, sheet, rule, isToMany: shape != .toOne)
    sheets.isOrdered = shape == .ordered
    let inverse = relationship("folder", sheet, folder, .nullifyDeleteRule, isToMany: false)
    (sheets.inverseRelationship, inverse.inverseRelationship) = (inverse, sheets)
    let model = NSManagedObjectModel()
    model.entities = [folder, sheet]
    return model
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let attribute = NSAttributeDescription()
    attribute.name = "name"
    attribute.attributeType = .stringAttributeType
    attribute.isOptional = true
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = [attribute]
    return entity
  }

  private static func relationship(
    _ name: String,
    _ source: NSEntityDescription,
    _ destination: NSEntityDescription,
    _ rule: NSDeleteRule,
    isToMany: Bool
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.deleteRule = rule
    relationship.maxCount = isToMany ? 0 : 1
    relationship.isOptional = true
    source.properties += [relationship]
    return relationship
  }
}

@Suite("Deletions by a child")
struct ParentDeletionTests {
  /// The change that the parent has made to the folder that its child deletes.
  private enum ParentChange: CaseIterable { case nothing, unsaved, saved }

  private static let rules: [NSDeleteRule] = [.cascadeDeleteRule, .nullifyDeleteRule, .denyDeleteRule]

  @Test(
    "a sheet that a child has moved to another folder outlives the deletion of its former one",
    arguments: StoreKind.allCases,
    FolderModel.Shape.allCases
  )
  func moved(_ kind: StoreKind, _ shape: FolderModel.Shape) throws {
    for rule in Self.rules {
      let model = FolderModel.make(shape, rule)
      for change in ParentChange.allCases {
        for (depth, isRead) in [(1, false), (1, true), (2, false), (2, true)] {
          let links = "\(rule), \(change), depth \(depth), \(isRead ? "read" : "not read")"
          let stack = try Stack(kind, model: model)
          let (former, other) = (stack.make("Folder", "former"), stack.make("Folder", "other"))
          let sheet = stack.make("Sheet", "moved")
          sheet.setValue(former, forKey: "folder")
          try stack.save()
          stack.context.refreshAllObjects()
          if isRead { #expect(former.namesIn("sheets") == ["moved"], "\(links)") }
          let children = Self.children(of: stack.context, depth)
          try Self.move(sheet, from: former, to: other, in: children[depth - 1])
          if change != .nothing { former.setValue("renamed", forKey: "name") }
          if change == .saved { try stack.save() }
          for child in children.reversed() { try child.save() }
          #expect(former.isDeleted && !sheet.isDeleted, "\(links)")
          #expect(sheet.namesIn("folder") == ["other"], "\(links)")
          #expect(other.namesIn("sheets") == ["moved"], "\(links)")
          try stack.save()
          let saved = try stack.saved("Sheet", "moved")
          #expect(saved?.namesIn("folder") == ["other"], "\(links)")
          let folders = try stack.savedCount("Folder")
          #expect(folders == 1, "\(links)")
        }
      }
    }
  }

  @Test(
    "a sheet that the parent alone has put into a folder goes with it by the folder's rule",
    arguments: StoreKind.allCases,
    [FolderModel.Shape.toMany, .ordered]
  )
  func unknown(_ kind: StoreKind, _ shape: FolderModel.Shape) throws {
    for rule in [NSDeleteRule.cascadeDeleteRule, .nullifyDeleteRule] {
      let stack = try Stack(kind, model: FolderModel.make(shape, rule))
      let (former, other) = (stack.make("Folder", "former"), stack.make("Folder", "other"))
      let sheet = stack.make("Sheet", "moved")
      sheet.setValue(former, forKey: "folder")
      try stack.save()
      let children = Self.children(of: stack.context, 1)
      try Self.move(sheet, from: former, to: other, in: children[0])
      let unknown = stack.make("Sheet", "unknown")
      unknown.setValue(former, forKey: "folder")
      try children[0].save()
      try stack.save()
      #expect(sheet.namesIn("folder") == ["other"], "\(rule)")
      let saved = try stack.saved("Sheet", "unknown")
      #expect((saved == nil) == (rule == .cascadeDeleteRule), "\(rule)")
      #expect(saved?.value(forKey: "folder") == nil, "\(rule)")
    }
  }

  @Test("the undo of a parent restores what a child deleted", arguments: [StoreKind.inMemory, .sqlite])
  func undo(_ kind: StoreKind) throws {
    let stack = try Stack(kind, model: FolderModel.make(.toMany, .cascadeDeleteRule))
    let (former, other) = (stack.make("Folder", "former"), stack.make("Folder", "other"))
    let sheet = stack.make("Sheet", "moved")
    sheet.setValue(former, forKey: "folder")
    try stack.save()
    stack.context.undoManager = UndoManager()
    let children = Self.children(of: stack.context, 1)
    try Self.move(sheet, from: former, to: other, in: children[0])
    try children[0].save()
    #expect(former.isDeleted)
    stack.context.undo()
    #expect(!former.isDeleted)
    #expect(former.namesIn("sheets") == ["moved"] && other.namesIn("sheets").isEmpty)
    #expect(sheet.namesIn("folder") == ["former"])
  }

  /// A chain of contexts below a context, each the child of the previous one.
  private static func children(of context: NSManagedObjectContext, _ depth: Int) -> [NSManagedObjectContext] {
    var contexts: [NSManagedObjectContext] = []
    for _ in 0..<depth {
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = contexts.last ?? context
      contexts.append(child)
    }
    return contexts
  }

  /// Moves a sheet to another folder in a context, and deletes its previous folder there.
  private static func move(
    _ sheet: NSManagedObject,
    from former: NSManagedObject,
    to other: NSManagedObject,
    in context: NSManagedObjectContext
  ) throws {
    let own = try context.existingObject(with: former.objectID)
    let moved = try context.existingObject(with: sheet.objectID)
    moved.setValue(try context.existingObject(with: other.objectID), forKey: "folder")
    context.delete(own)
  }
}
