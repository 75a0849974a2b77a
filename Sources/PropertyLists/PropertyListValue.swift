package import Foundation

/// A value of a binary property list that is to be written, with the references of keyed archives.
package enum PropertyListValue {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A whole number from 2⁶³ on.
  case unsigned(UInt64)
  case real(Double)
  case date(Date)
  case string(String)
  case data(Data)
  case uid(Int)
  case array([PropertyListValue])
  /// The keys in the order in which they are written, so that equal values give equal bytes.
  case dictionary([(key: String, value: PropertyListValue)])
}
