/// The version of the package, after the rules of semantic versions.
///
/// This is the one place that has it. The first heading of CHANGELOG.md below its title says the same: while
/// that heading is `Unreleased: 0.1.0`, the version is `0.1.0-dev`.
public enum PerennialVersion {
  public static let current = "0.1.0-dev"

  /// True between two releases, when no tag of this version is there to depend on.
  static var isUnreleased: Bool { current.contains("-") }
}
