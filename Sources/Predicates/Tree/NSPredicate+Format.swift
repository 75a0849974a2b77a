public import Foundation

/// The initialisers that make a predicate from a format.
///
/// They are declared in a protocol's extension, because only there an initialiser may answer with
/// an instance of a subclass, and because Linux Foundation's own are marked unavailable.
public protocol PredicateFactory {}

extension NSPredicate: PredicateFactory {}

extension PredicateFactory where Self: NSPredicate {
  /// Reads a predicate from a format: `NSPredicate(format: "name BEGINSWITH[cd] %@ AND age > %d", "a", 5)`.
  ///
  /// ```swift
  /// let isThirsty = NSPredicate(format: "water < %d AND NOT name IN %@", 3, ["Thyme", "Sage"])
  /// let bed = [["name": "Tomato", "water": 2], ["name": "Thyme", "water": 1]]
  /// let thirsty = bed.filter { isThirsty.evaluate(with: $0) }  // the tomato
  /// ```
  ///
  /// The language is that of Apple's "Predicate Format String Syntax". A format that does not
  /// parse, and arguments that do not fit it, are a programmer's error and stop the program; for a
  /// format that is data, such as one that a user typed, there is `init(parsing:arguments:)`.
  ///
  /// - Parameters:
  ///   - predicateFormat: the format.
  ///   - args: the values for `%@`, `%K`, `%d` and so on, in their order, of any type.
  public init(format predicateFormat: String, _ args: Any?...) { self = Self.orStop(predicateFormat, arguments: args) }

  /// Reads a predicate from a format, with the arguments as an array; see `init(format:_:)`.
  ///
  /// ```swift
  /// let ofThoseDays = NSPredicate(
  ///   format: "createdAt >= %@ AND createdAt < %@",
  ///   argumentArray: [start, end]
  /// )
  /// ```
  public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self = Self.orStop(predicateFormat, arguments: arguments ?? [])
  }

  @available(*, unavailable, message: "a C list holds no Swift values; use init(format:argumentArray:)")
  public init(format predicateFormat: String, arguments argList: CVaListPointer) {
    fatalError("use init(format:argumentArray:).")
  }

  /// Reads a predicate from a format that is data.
  ///
  /// - Parameters:
  ///   - format: the format.
  ///   - arguments: the values for `%@`, `%K`, `%d` and so on, in their order.
  /// - Throws: `PredicateFormatError` with the position and what was expected there.
  public init(parsing format: String, arguments: [Any?] = []) throws(PredicateFormatError) {
    self = try checked(try FormatParser.predicate(format, arguments: arguments), format: format)
  }

  private static func orStop(_ format: String, arguments: [Any?]) -> Self {
    do throws(PredicateFormatError) {
      return try Self(parsing: format, arguments: arguments)
    } catch {
      fatalError("NSPredicate(format:): \(error)")
    }
  }
}

/// The initialisers that make an expression from a format, in a protocol's extension as those of
/// predicates are: a format may be an ``NSFetchRequestExpression``.
public protocol ExpressionFactory {}

extension NSExpression: ExpressionFactory {}

extension ExpressionFactory where Self: NSExpression {
  /// Reads an expression from a format: `NSExpression(format: "price * %d", 2)`.
  ///
  /// A format that does not parse is a programmer's error and stops the program; for a format that
  /// is data there is `init(parsing:arguments:)`.
  ///
  /// ```swift
  /// let double = NSExpression(format: "rating * %d", 2)
  /// let value = double.expressionValue(with: note, context: nil) as? Int
  /// print(value ?? 0)  // 10
  /// ```
  public init(format expressionFormat: String, _ args: Any?...) {
    self = Self.orStop(expressionFormat, arguments: args)
  }

  /// Reads an expression from a format, with the arguments as an array; see `init(format:_:)`.
  public init(format expressionFormat: String, argumentArray arguments: [Any]) {
    self = Self.orStop(expressionFormat, arguments: arguments)
  }

  @available(*, unavailable, message: "a C list holds no Swift values; use init(format:argumentArray:)")
  public init(format expressionFormat: String, arguments argList: CVaListPointer) {
    fatalError("use init(format:argumentArray:).")
  }

  /// Reads an expression from a format that is data.
  ///
  /// - Throws: `PredicateFormatError` with the position and what was expected there.
  public init(parsing format: String, arguments: [Any?] = []) throws(PredicateFormatError) {
    self = try checked(try FormatParser.expression(format, arguments: arguments), format: format)
  }

  private static func orStop(_ format: String, arguments: [Any?]) -> Self {
    do throws(PredicateFormatError) {
      return try Self(parsing: format, arguments: arguments)
    } catch {
      fatalError("NSExpression(format:): \(error)")
    }
  }
}

/// The predicate or expression of a format, as the class whose initialiser the caller uses.
private func checked<Requested, Parsed>(_ parsed: Parsed, format: String) throws(PredicateFormatError) -> Requested {
  if let requested = parsed as? Requested { return requested }
  throw PredicateFormatError(
    message: "The format is not an \(Requested.self) but a \(type(of: parsed))",
    position: 0,
    format: format
  )
}
