import Foundation
import TestSupport
import Testing

@testable import RemoteSeeding

@Suite("Signatures of Ed25519")
struct Ed25519Tests {
  /// A test of RFC 8032, section 7.1.
  struct Vector: CustomTestStringConvertible, Sendable {
    let name: String
    let seed: String
    let key: String
    let message: String
    let signature: String

    var testDescription: String { name }
  }

  private static let vectors = [
    Vector(
      name: "test 1, an empty message",
      seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      message: "",
      signature: """
        e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24\
        655141438e7a100b
        """
    ),
    Vector(
      name: "test 2, a byte",
      seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      message: "72",
      signature: """
        92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee\
        b00d291612bb0c00
        """
    ),
    Vector(
      name: "test 3, two bytes",
      seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      message: "af82",
      signature: """
        6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d\
        c027beceea1ec40a
        """
    ),
    Vector(
      name: "test SHA(abc)",
      seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
      key: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
      message: """
        ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e\
        2a9ac94fa54ca49f
        """,
      signature: """
        dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17a\
        d9bef1177331a704
        """
    ),
  ]

  private static func bytes(_ digits: String) -> Data { Data(HexadecimalText.bytes(digits) ?? []) }

  private static func key(_ bytes: Data) throws -> Ed25519PublicKey? {
    try Ed25519PublicKey(bytes: bytes, settings: TransferSettings())
  }

  @Test("the signatures of RFC 8032 verify, and the tests' signer makes equal ones", arguments: vectors)
  func right(vector: Vector) throws {
    let key = try #require(try Self.key(Self.bytes(vector.key)))
    let (message, signature) = (Self.bytes(vector.message), Self.bytes(vector.signature))
    #expect(key.hasSigned(message, with: signature))
    let signer = SigningKey(seed: Self.bytes(vector.seed))
    #expect(signer.publicKey == Self.bytes(vector.key))
    #expect(signer.signature(for: message) == signature)
  }

  @Test("a signature with a changed bit, or of another message or key, is invalid", arguments: vectors)
  func changed(vector: Vector) throws {
    let key = try #require(try Self.key(Self.bytes(vector.key)))
    let (message, signature) = (Self.bytes(vector.message), Self.bytes(vector.signature))
    for bit in 0..<signature.count * 8 {
      var changed = signature
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(!key.hasSigned(message, with: changed), "bit \(bit)")
    }
    #expect(!key.hasSigned(message + [0], with: signature))
    for other in Self.vectors where other.key != vector.key {
      let key = try #require(try Self.key(Self.bytes(other.key)))
      #expect(!key.hasSigned(message, with: signature))
    }
  }

  /// The order of the group, L, in little-endian bytes (RFC 8032, section 5.1).
  private static let order: [UInt8] = [
    0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14, 0, 0, 0,
    0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
  ]

  @Test("a signature whose S is not below the order of the group is invalid", arguments: vectors)
  func malleable(vector: Vector) throws {
    let key = try #require(try Self.key(Self.bytes(vector.key)))
    var signature = [UInt8](Self.bytes(vector.signature))
    var carry = 0
    for (place, byte) in Self.order.enumerated() {
      let sum = Int(signature[32 + place]) + Int(byte) + carry
      signature[32 + place] = UInt8(truncatingIfNeeded: sum)
      carry = sum >> 8
    }
    // S + L is the same number for a check that skips the range of S: RFC 8032, section 5.1.7.
    #expect(carry == 0 && !key.hasSigned(Self.bytes(vector.message), with: Data(signature)))
  }

  @Test("signatures and keys of another length are invalid")
  func lengths() throws {
    let vector = Self.vectors[1]
    let key = try #require(try Self.key(Self.bytes(vector.key)))
    let (message, signature) = (Self.bytes(vector.message), Self.bytes(vector.signature))
    for other in [Data(), signature.dropLast(), signature + [0]] {
      #expect(!key.hasSigned(message, with: other))
    }
    for other in [Data(), Self.bytes(vector.key).dropLast(), Self.bytes(vector.key) + [0]] {
      #expect(try Self.key(other) == nil)
    }
  }

  @Test("many threads verify signatures at the same time")
  func threads() async throws {
    let key = SigningKey()
    let publicKey = try #require(try Self.key(key.publicKey))
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          let message = Data("message \(number)".utf8)
          let signature = key.signature(for: number.isMultiple(of: 3) ? Data() : message)
          return publicKey.hasSigned(message, with: signature) != number.isMultiple(of: 3)
        }
      }
      return await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(outcomes.allSatisfy { $0 })
  }
}
