/// Collects the members of a context by name.
///
/// A context encodes itself by the code that the compiler writes for structs. This code asks for one container with names.
final class MemberEncoder: Encoder {
  fileprivate(set) var values: [String: Any] = [:]
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    // Most contexts have fewer members, so that the dictionary does not grow.
    values.reserveCapacity(16)
    return KeyedEncodingContainer(MemberContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { MemberEncoder.refuse() }
  func singleValueContainer() -> any SingleValueEncodingContainer { MemberEncoder.refuse() }

  /// Stops at a type that encodes itself in its own way, which is a programming error of this module.
  fileprivate static func refuse() -> Never {
    preconditionFailure("a context of a template is a struct whose encode(to:) the compiler writes")
  }
}

private struct MemberContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: MemberEncoder
  var codingPath: [any CodingKey] { [] }

  private func add(_ value: (any TemplateValue)?, key: Key) {
    encoder.values[key.stringValue] = value?.inTemplate ?? false
  }

  func encodeNil(forKey key: Key) { add(nil, key: key) }
  func encode(_ value: String, forKey key: Key) { add(value, key: key) }
  func encode(_ value: Bool, forKey key: Key) { add(value, key: key) }
  func encode(_ value: some Encodable, forKey key: Key) { add(value as? any TemplateValue, key: key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) { add(value, key: key) }
  func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) { add(value as? any TemplateValue, key: key) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
    -> KeyedEncodingContainer<Nested>
  { MemberEncoder.refuse() }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { MemberEncoder.refuse() }
  func superEncoder() -> any Encoder { MemberEncoder.refuse() }
  func superEncoder(forKey key: Key) -> any Encoder { MemberEncoder.refuse() }
}
