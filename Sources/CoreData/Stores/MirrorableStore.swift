/// A store of a type that Apple's framework can mirror to CloudKit.
protocol MirrorableStore: ObjectStore {}
