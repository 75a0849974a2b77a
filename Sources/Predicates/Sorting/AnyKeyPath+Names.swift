extension AnyKeyPath {
  /// The names of the properties in the key path, joined by dots, such as `category.name`; `nil`
  /// where they cannot be found.
  ///
  /// The standard library has a property of this name, which libraries that build predicates read,
  /// but fills it only where there is Objective-C. This one takes its place wherever Core Data is
  /// imported: it knows the properties of managed objects, through relationships and optional
  /// chains, and stored properties of any type.
  public var _kvcKeyPathString: String? { KeyPathNames.name(of: self) }
}
