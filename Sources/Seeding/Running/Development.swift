import Foundation

/// Tells whether a program is in development, where stores may be lost.
enum Development {
  /// The environment variable that declares development.
  static let variable = "PERENNIAL_ENVIRONMENT"

  /// The value of the variable in development.
  static let value = "development"

  static let isHere: Bool = isDeclared(in: ProcessInfo.processInfo.environment, isDebugBuild: isDebugBuild)

  /// - Parameter isDebugBuild: True for a program that was built for debugging, which counts without the variable.
  static func isDeclared(in environment: [String: String], isDebugBuild: Bool) -> Bool {
    guard let word = environment[variable], !word.isEmpty else { return isDebugBuild }
    return word == value
  }

  private static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }
}
