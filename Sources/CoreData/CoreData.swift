@_exported public import Predicates

// Foundation on Linux has classes of these names that cannot be made or subclassed.
typealias NSExpression = Predicates.NSExpression
typealias NSComparisonPredicate = Predicates.NSComparisonPredicate
