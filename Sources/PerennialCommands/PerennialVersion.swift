/// The version of the package, in the form of Semantic Versioning.
///
/// No other file defines it. The first heading of CHANGELOG.md below its title agrees with it: while the
/// heading is `Unreleased: 0.1.0`, the version is `0.1.0-dev`.
package enum PerennialVersion {
  package static let current = "0.1.0-dev"

  /// True between two releases, when no tag of this version exists that a package could depend on.
  static var isUnreleased: Bool { current.contains("-") }
}
