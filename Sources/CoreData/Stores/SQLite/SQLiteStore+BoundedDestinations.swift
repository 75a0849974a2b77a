/// The first destinations are read as all destinations are, with a limit: see `SQLiteStore+Reading.swift`.
extension SQLiteStore: BoundedDestinationStore {}
