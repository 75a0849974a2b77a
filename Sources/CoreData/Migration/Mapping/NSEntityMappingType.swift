/// The kinds of entity mappings, by what becomes of the objects of an entity.
public enum NSEntityMappingType: UInt, Sendable {
  /// Not said; carried out as the mapping's expressions say.
  case undefinedEntityMappingType = 0
  /// A migration policy decides.
  case customEntityMappingType = 1
  /// The entity is new: no objects of the source become objects of it.
  case addEntityMappingType = 2
  /// The entity is gone: its objects are left behind.
  case removeEntityMappingType = 3
  /// The entity is the same in both versions.
  case copyEntityMappingType = 4
  /// The entity has changed: each object becomes one, its properties found by expressions.
  case transformEntityMappingType = 5
}
