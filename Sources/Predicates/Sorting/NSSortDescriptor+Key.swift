public import Foundation

/// The initialisers that make a sort descriptor from a key.
///
/// They are declared in a protocol's extension, because only there an initialiser may answer with
/// an instance of a subclass, and because Linux Foundation's own are marked unavailable.
public protocol SortDescriptorFactory {}

extension NSSortDescriptor: SortDescriptorFactory {}

extension SortDescriptorFactory where Self: NSSortDescriptor {
  /// Sorts by the values of a key: null first, numbers, dates and texts by value.
  ///
  /// ```swift
  /// let order = [
  ///   NSSortDescriptor(key: "isPinned", ascending: false),
  ///   NSSortDescriptor(key: "author.name", ascending: true),
  ///   NSSortDescriptor(key: "title", ascending: true, selector: "localizedStandardCompare:"),
  /// ]
  /// ```
  ///
  /// - Parameters:
  ///   - key: a key path such as `category.name`; `nil` for the object itself.
  ///   - ascending: true when the smallest value comes first.
  public init(key: String?, ascending: Bool) { self = Self.make(key, ascending: ascending, comparison: .standard) }

  /// Sorts by the values of a key.
  ///
  /// A selector that is not listed is a programmer's error and stops the program.
  ///
  /// ```swift
  /// let byTitle = NSSortDescriptor(key: "title", ascending: true, selector: "caseInsensitiveCompare:")
  /// ```
  ///
  /// - Parameters:
  ///   - key: a key path such as `category.name`; `nil` for the object itself.
  ///   - ascending: true when the smallest value comes first.
  ///   - selector: `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`,
  ///     `localizedCaseInsensitiveCompare:` or `localizedStandardCompare:`.
  public init(key: String?, ascending: Bool, selector: Selector?) {
    guard let comparison = SortComparison(selector) else {
      fatalError(
        """
        NSSortDescriptor(key: \(key ?? "nil")): there is no comparison "\(selector?.name ?? "")"; give compare:, \
        caseInsensitiveCompare:, localizedCompare:, localizedCaseInsensitiveCompare: or localizedStandardCompare:.
        """
      )
    }
    self = Self.make(key, ascending: ascending, comparison: comparison)
  }

  /// Sorts by the values of a key as a closure compares them; null arrives as `NSNull`.
  ///
  /// A store that translates to SQL cannot fetch with it.
  ///
  /// ```swift
  /// let byLength = NSSortDescriptor(key: "title", ascending: true) { first, second in
  ///   let (one, other) = ((first as? String ?? "").count, (second as? String ?? "").count)
  ///   return one < other ? .orderedAscending : one > other ? .orderedDescending : .orderedSame
  /// }
  /// ```
  public init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
    self = Self.make(key, ascending: ascending, comparison: .custom(cmptr))
  }

  /// Sorts by the values of a Swift key path whose values may be missing.
  ///
  /// Linux Foundation's own initialiser takes key paths to values that are `Comparable`. A key path
  /// whose names cannot be found is a programmer's error and stops the program.
  ///
  /// ```swift
  /// let byAuthor = NSSortDescriptor(keyPath: \Note.author?.name, ascending: true)
  /// print(byAuthor.key ?? "")  // author.name
  /// ```
  public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
    let key = KeyPathNames.requiredName(of: keyPath)
    self = Self.own(KeySortDescriptor(key: key, ascending: ascending, comparison: .standard, keyPath: keyPath))
  }

  /// Sorts by the values of a key, which a Swift key path reads as well, as a closure compares them.
  package init(
    key: String,
    keyPath: AnyKeyPath,
    ascending: Bool,
    comparator cmptr: @escaping Comparator
  ) {
    self = Self.own(KeySortDescriptor(key: key, ascending: ascending, comparison: .custom(cmptr), keyPath: keyPath))
  }

  private static func make(_ key: String?, ascending: Bool, comparison: SortComparison) -> Self {
    own(KeySortDescriptor(key: key, ascending: ascending, comparison: comparison))
  }

  private static func own(_ descriptor: NSSortDescriptor) -> Self {
    guard let own = descriptor as? Self else {
      fatalError("\(Self.self)(key:ascending:): make an NSSortDescriptor, not an instance of a subclass.")
    }
    return own
  }
}

extension NSSortDescriptor {
  /// The key path that is sorted by; `nil` for the object itself, and for a Swift key path whose names cannot be found.
  public var key: String? {
    if let descriptor = self as? KeySortDescriptor { return descriptor.sortKey }
    return KeyPathNames.name(of: keyPath)
  }

  /// The key path by which a store sorts: `self` where the descriptor has none; `nil` for a Swift key path
  /// whose names cannot be found.
  package var keyOfRecords: String? { self is KeySortDescriptor ? key ?? "self" : key }

  /// The name of the comparison; `nil` for a closure, and for a subclass, which compares in its own way.
  public var selector: Selector? { comparison.selector }

  /// Does nothing: there is nothing here that decoding would have forbidden.
  public func allowEvaluation() {}

  /// The way in which the values are compared. A descriptor that Foundation made compares `Comparable` values, which is
  /// the standard comparison; an application's own subclass may compare otherwise.
  package var comparison: SortComparison {
    if let descriptor = self as? KeySortDescriptor { return descriptor.sortComparison }
    return isFoundationsOwn ? .standard : .custom(comparator)
  }

  /// True for a descriptor of Foundation's own class, which an application may have subclassed.
  var isFoundationsOwn: Bool { type(of: self) == NSSortDescriptor.self }
}

extension SortDescriptorFactory where Self: NSSortDescriptor {
  /// Converts Foundation's `SortDescriptor` with a key path.
  ///
  /// Texts are sorted by the codes of their characters, as `SortDescriptor` sorts them here with
  /// the comparator `.lexical`. A descriptor that compares otherwise than by a key path, and a key
  /// path whose names cannot be found, are a programmer's error and stop the program.
  ///
  /// ```swift
  /// let newestFirst = SortDescriptor(\Note.createdAt, order: .reverse)
  /// let descriptor = NSSortDescriptor(newestFirst)
  /// print(descriptor.key ?? "", descriptor.ascending)  // createdAt false
  /// ```
  public init<Compared>(_ sortDescriptor: Foundation.SortDescriptor<Compared>) {
    guard let keyPath = sortDescriptor.keyPath else {
      fatalError("NSSortDescriptor(_:): make the SortDescriptor from a key path, not from a comparator.")
    }
    self.init(key: KeyPathNames.requiredName(of: keyPath), ascending: sortDescriptor.order == .forward)
  }
}
