/// A class with members that need accessors, and the way generated code in another file extends it.
struct AccessorPlace {
  let declaration: Declaration
  let nominal: NominalType
  /// The name of the extended type.
  let target: String
  /// True when only the class's own file can see it, so that the accessors extend `NSManagedObject` instead.
  let isPrivate: Bool
  let context: SymbolMangler.Context
  let printer: TypePrinter

  init(declaration: Declaration, nominal: NominalType, resolver: TypeResolver) {
    let module = declaration.file.module.name
    self.declaration = declaration
    self.nominal = nominal
    isPrivate = nominal.isPrivate
    printer = TypePrinter(resolver: resolver, context: isPrivate ? .managedObject : nominal, file: declaration.file)
    target =
      isPrivate ? "NSManagedObject" : Self.name(of: nominal, resolver: resolver, file: declaration.file)
    var extensionModule: String?
    if case .extension = declaration.role, nominal.declaringModule != module { extensionModule = module }
    context = SymbolMangler.Context(type: nominal, extensionModule: extensionModule)
  }

  /// The name of the class, as an extension at the top of a file must write it.
  private static func name(of nominal: NominalType, resolver: TypeResolver, file: SourceFile) -> String {
    TypePrinter(resolver: resolver, context: .managedObject, file: file).name(nominal)
  }

  /// The access of a member, limited by that of the enclosing types.
  func effectiveAccess(of member: ManagedMember) -> AccessLevel {
    var access = member.writtenAccess ?? declaration.accessOfMembers
    var place: Declaration? = declaration
    while let current = place {
      if case .type = current.role { access = min(access, current.access) }
      place = current.parent
    }
    guard case .extension = declaration.role else { return access }
    let declared = printer.resolver.declarations(of: nominal).map(\.access).max()
    return min(access, declared ?? .public)
  }

  /// The name of a member in symbols.
  func symbolName(of member: ManagedMember) -> SymbolMangler.MemberName {
    let access = member.writtenAccess ?? declaration.accessOfMembers
    let isDiscriminated = access.isPrivate && !nominal.isPrivate
    return SymbolMangler.MemberName(
      name: member.name,
      discriminator: isDiscriminated ? declaration.file.discriminator : nil
    )
  }
}
