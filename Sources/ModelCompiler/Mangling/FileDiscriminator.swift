/// What tells private declarations of one file from those of another in symbols: `_` and the MD5 digest of the
/// module's name and the file's name, in capital hexadecimal digits.
enum FileDiscriminator {
  static func make(module: String, file: String) -> String {
    let name = file.split(separator: "/").last ?? ""
    return "_" + MD5.hexadecimalDigest(of: Array((module + name).utf8))
  }
}
