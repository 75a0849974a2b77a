import CoreData
import Foundation

/// Groups numbers into intervals of a round width: 1, 2 or 5 times a power of ten.
struct NumberBins {
  /// The preferred number of intervals.
  private static let wanted = 20.0
  /// The greatest integer up to which a `Double` represents every integer exactly.
  private static let exact = 9_007_199_254_740_992.0

  let maker: FacetMaker
  private var subject: FacetSubject { maker.query.subject }
  private var query: FacetQuery { maker.query }

  private var isWhole: Bool { if case .wholeNumbers = subject.values { true } else { false } }

  func values() throws -> (Facet.Kind, [Facet.Value]) {
    guard let extremes = try finiteExtremes() else { return (.values, try byThemselves(isByCount: true)) }
    let (least, greatest) = extremes
    if least == greatest || isWhole && greatest - least < Double(maker.top) {
      return (.orderedValues, try byThemselves(isByCount: false))
    }
    guard abs(least) < Self.exact || !isWhole, abs(greatest) < Self.exact || !isWhole else {
      return (.values, try byThemselves(isByCount: true))
    }
    let width = Self.width((greatest - least) / Self.wanted, isWhole: isWhole)
    guard width.isFinite, width > 0, (abs(least) / width) < Self.exact, (abs(greatest) / width) < Self.exact
    else { return (.values, try byThemselves(isByCount: true)) }
    let bins = Bins(width: width)
    let range = bins.number(of: least)...bins.number(of: greatest)
    let counts =
      if case .decimals = subject.values { try countsOneByOne(bins, range: range) } else {
        try counts(bins, wanted: range)
      }
    return (.intervals(width: width), range.map { value(bins, number: $0, count: counts[$0] ?? 0) })
  }

  private func byThemselves(isByCount: Bool) throws -> [Facet.Value] {
    let key = NSExpression(forKeyPath: subject.keyPath)
    return try query.groups(by: key, condition: subject.hasValue, isByCount: isByCount, limit: maker.top)
      .map { maker.value($0.value, count: $0.count) }
  }

  /// The least and the greatest value. If their difference is not finite, only values within ±1e300 are included.
  private func finiteExtremes() throws -> (Double, Double)? {
    func numbers(_ condition: NSPredicate?) throws -> (Double, Double)? {
      guard let (least, greatest) = try query.extremes(condition),
        let first = (least as? NSNumber)?.doubleValue,
        let last = (greatest as? NSNumber)?.doubleValue
      else { return nil }
      return (first, last)
    }
    guard let all = try numbers(nil) else { return nil }
    if (all.1 - all.0).isFinite { return all }
    let limit = 1e300
    guard let finite = try numbers(subject.isIn(-limit, upper: limit)), (finite.1 - finite.0).isFinite else {
      return nil
    }
    return finite
  }

  static func width(_ raw: Double, isWhole: Bool) -> Double {
    guard raw.isFinite, raw > 0 else { return 1 }
    let power = pow(10, floor(log10(raw)))
    let factor = [1.0, 2, 5].first { $0 * power >= raw } ?? 10
    return isWhole ? max(1, (factor * power).rounded()) : factor * power
  }

  /// Intervals that begin at multiples of their width.
  struct Bins {
    let width: Double
    /// The reciprocal of a width below 1, which is an integer. Multiplying by it is more exact than dividing
    /// by the width.
    private let inverse: Double?

    init(width: Double) {
      self.width = width
      let inverse = (1 / width).rounded()
      self.inverse = width < 1 && inverse.isFinite ? inverse : nil
    }

    func number(of value: Double) -> Int { Int(floor(inverse.map { value * $0 } ?? value / width)) }

    func bounds(_ number: Int) -> Range<Double> {
      func edge(_ number: Int) -> Double { inverse.map { Double(number) / $0 } ?? Double(number) * width }
      return edge(number)..<edge(number + 1)
    }

    /// An expression that computes the interval's number from the value.
    func expression(_ key: CoreData.NSExpression) -> CoreData.NSExpression {
      let scaled = NSExpression(
        forFunction: inverse == nil ? "divide:by:" : "multiply:by:",
        arguments: [key, NSExpression(forConstantValue: inverse ?? width)]
      )
      return NSExpression(forFunction: "floor:", arguments: [scaled])
    }
  }

  private func counts(_ bins: Bins, wanted range: ClosedRange<Int>) throws -> [Int: Int] {
    let groups = try query.groups(
      by: bins.expression(NSExpression(forKeyPath: subject.keyPath)),
      condition: subject.hasValue,
      isByCount: false,
      // Two more groups for infinite values.
      limit: range.count + 2
    )
    var counts: [Int: Int] = [:]
    for group in groups {
      guard let number = (group.value as? NSNumber)?.doubleValue, abs(number) < Self.exact else { continue }
      counts[Int(number), default: 0] += group.count
    }
    return counts
  }

  /// Counts each interval with a query, because stores do not calculate with decimal numbers.
  private func countsOneByOne(_ bins: Bins, range: ClosedRange<Int>) throws -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for number in range { counts[number] = try query.count(predicate(bins, number: number)) }
    return counts
  }

  private func predicate(_ bins: Bins, number: Int) -> NSPredicate {
    let bounds = bins.bounds(number)
    return subject.isIn(constant(bounds.lowerBound), upper: constant(bounds.upperBound))
  }

  private func constant(_ bound: Double) -> Any {
    if isWhole, let whole = Int(exactly: bound) { return whole }
    if case .decimals = subject.values, let decimal = Decimal(string: "\(bound)") {
      return NSDecimalNumber(decimal: decimal)
    }
    return bound
  }

  private func value(_ bins: Bins, number: Int, count: Int) -> Facet.Value {
    let bounds = bins.bounds(number)
    func words(_ bound: Double) -> String { Int(exactly: bound).map(String.init) ?? "\(bound)" }
    return Facet.Value(
      label: "\(words(bounds.lowerBound)) to \(words(bounds.upperBound))",
      count: count,
      predicate: predicate(bins, number: number).printedFormat,
      bounds: bounds
    )
  }
}
