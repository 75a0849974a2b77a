/// A value that was made, as a seed spells it.
enum GeneratedValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  case list([GeneratedValue])
  case fields([Field])

  struct Field: Hashable, Sendable {
    let key: String
    let value: GeneratedValue
  }
}
