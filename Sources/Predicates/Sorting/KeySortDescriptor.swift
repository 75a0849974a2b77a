import Foundation

/// A sort descriptor that reads a key, which Linux Foundation's cannot.
final class KeySortDescriptor: NSSortDescriptor {
  let sortKey: String?
  let sortComparison: SortComparison
  /// The Swift key path from which the descriptor was made.
  private let swiftKeyPath: AnyKeyPath?
  /// `nil` for the object itself.
  private let reader: KeyPathReader?
  /// The reason that the key cannot be read. Sorting with the descriptor throws it.
  private let readerError: PredicateEvaluationError?

  init(key: String?, ascending: Bool, comparison: SortComparison, keyPath: AnyKeyPath? = nil) {
    sortKey = key
    sortComparison = comparison
    swiftKeyPath = keyPath
    var reader: KeyPathReader?
    var readerError: PredicateEvaluationError?
    if let key, key.lowercased() != "self" {
      do throws(PredicateEvaluationError) {
        reader = try KeyPathReader(key)
      } catch {
        readerError = error
      }
    }
    self.reader = reader
    self.readerError = readerError
    super.init(keyPath: \String.self, ascending: ascending) { _, _ in .orderedSame }
  }

  /// The value that an object is sorted by.
  func value(of object: Any?) throws -> EvaluatedValue {
    if let readerError { throw readerError }
    guard let reader else { return EvaluatedValue(object) }
    return try reader.value(in: EvaluationScope(object: object, variables: nil))
  }

  /// The value that an object is sorted by; quicker than with `Any`.
  func value(of object: any KeyValueCoding) throws -> EvaluatedValue {
    if let readerError { throw readerError }
    guard let reader else { return EvaluatedValue(object) }
    return try reader.value(in: EvaluationScope(coding: object, variables: nil))
  }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    guard let result = try? sortComparison.compare(value(of: object1), second: value(of: object2)) else {
      return .orderedSame
    }
    return ascending ? result : result.reversed
  }

  override var reversedSortDescriptor: Any {
    KeySortDescriptor(
      key: sortKey,
      ascending: !ascending,
      comparison: sortComparison,
      keyPath: swiftKeyPath
    )
  }

  /// A descriptor of a key as text has no key path of Swift, and gives a text's own.
  override var keyPath: AnyKeyPath { swiftKeyPath ?? super.keyPath }

  override var comparator: Comparator {
    let comparison = sortComparison
    return { (try? comparison.compare(EvaluatedValue($0), second: EvaluatedValue($1))) ?? .orderedSame }
  }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeySortDescriptor else { return false }
    if self === other { return true }
    guard sortKey == other.sortKey, ascending == other.ascending else { return false }
    guard let selector = sortComparison.selector else { return false }
    return selector == other.sortComparison.selector
  }

  override var hash: Int {
    var hasher = Hasher()
    hasher.combine(sortKey)
    hasher.combine(ascending)
    return hasher.finalize()
  }

  override var description: String {
    "(\(sortKey ?? "self"), \(ascending ? "ascending" : "descending"), \(sortComparison.selector?.name ?? "comparator"))"
  }
}
