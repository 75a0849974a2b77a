/// A class of an archived object: its name, and those of the classes that it descends from, nearest first.
struct ArchivedClass {
  let name: String
  let ancestors: [String]

  private init(_ name: String, _ ancestors: String...) {
    self.name = name
    self.ancestors = ancestors + ["NSObject"]
  }

  static let array = Self("NSArray")
  static let mutableArray = Self("NSMutableArray", "NSArray")
  static let set = Self("NSSet")
  static let mutableSet = Self("NSMutableSet", "NSSet")
  static let orderedSet = Self("NSOrderedSet")
  static let mutableOrderedSet = Self("NSMutableOrderedSet", "NSOrderedSet")
  static let dictionary = Self("NSDictionary")
  static let mutableDictionary = Self("NSMutableDictionary", "NSDictionary")
  static let knownKeysDictionary = Self(
    "NSKnownKeysDictionary1",
    "NSKnownKeysDictionary",
    "NSMutableDictionary",
    "NSDictionary"
  )
  static let knownKeysMapping = Self("NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy")

  static let string = Self("NSString")
  static let mutableString = Self("NSMutableString", "NSString")
  static let data = Self("NSData")
  static let mutableData = Self("NSMutableData", "NSData")
  static let null = Self("NSNull")
  static let date = Self("NSDate")
  static let uuid = Self("NSUUID")
  static let url = Self("NSURL")
  static let decimalNumber = Self("NSDecimalNumber", "NSNumber", "NSValue")

  static let model = Self("NSManagedObjectModel")
  static let entity = Self("NSEntityDescription")
  static let attribute = Self("NSAttributeDescription", "NSPropertyDescription")
  static let derivedAttribute = Self("NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription")
  static let compositeAttribute = Self(
    "NSCompositeAttributeDescription",
    "NSAttributeDescription",
    "NSPropertyDescription"
  )
  static let relationship = Self("NSRelationshipDescription", "NSPropertyDescription")
  static let fetchedProperty = Self("NSFetchedPropertyDescription", "NSPropertyDescription")
  static let mappingModel = Self("NSMappingModel")
  static let entityMapping = Self("NSEntityMapping")
  static let propertyMapping = Self("NSPropertyMapping")
  static let fetchRequest = Self("NSFetchRequest", "NSPersistentStoreRequest")
  static let fetchIndex = Self("NSFetchIndexDescription")
  static let fetchIndexElement = Self("NSFetchIndexElementDescription")

  static let truePredicate = Self("NSTruePredicate", "NSPredicate")
  static let falsePredicate = Self("NSFalsePredicate", "NSPredicate")
  static let compoundPredicate = Self("NSCompoundPredicate", "NSPredicate")
  static let comparisonPredicate = Self("NSComparisonPredicate", "NSPredicate")
  static let comparisonOperator = Self("NSComparisonPredicateOperator", "NSPredicateOperator")
  static let selfExpression = Self("NSSelfExpression", "NSExpression")
  static let variableExpression = Self("NSVariableExpression", "NSExpression")
  static let constantExpression = Self("NSConstantValueExpression", "NSExpression")
  static let functionExpression = Self("NSFunctionExpression", "NSExpression")
  static let keyPathExpression = Self("NSKeyPathExpression", "NSFunctionExpression", "NSExpression")
  static let fetchExpression = Self("NSFetchRequestExpression", "NSExpression")
  static let keyPathSpecifier = Self("NSKeyPathSpecifierExpression", "NSExpression")

  /// The class of a comparison's operator, by the raw value of Apple's
  /// `NSComparisonPredicate.Operator`; `nil` for those of which no archive is known.
  static func predicateOperator(_ type: UInt) -> Self? {
    switch type {
    case 0...3: comparisonOperator
    case 4, 5: Self("NSEqualityPredicateOperator", "NSPredicateOperator")
    case 10, 99: Self("NSInPredicateOperator", "NSPredicateOperator")
    default: nil
    }
  }
}
