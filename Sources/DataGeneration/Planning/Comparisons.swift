import CoreData
import Foundation

#if canImport(Darwin)
  typealias ComparisonPredicate = Foundation.NSComparisonPredicate
#else
  // Foundation has a class of that name there too, which cannot be asked for anything.
  typealias ComparisonPredicate = CoreData.NSComparisonPredicate
#endif
