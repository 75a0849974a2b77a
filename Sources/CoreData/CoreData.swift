@_exported public import Predicates

// Foundation on Linux has classes of these names that cannot be made or subclassed. Where both modules are imported,
// `CoreData.NSExpression` finds what CoreData itself declares, and nothing else.

/// An expression of a predicate.
public typealias NSExpression = Predicates.NSExpression
/// A predicate that compares two expressions.
public typealias NSComparisonPredicate = Predicates.NSComparisonPredicate
