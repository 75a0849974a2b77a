public import ArgumentParser
public import Seeding

extension SeedMode: ExpressibleByArgument {}

extension SeedPruning: ExpressibleByArgument {}

extension SeedConflictPolicy: ExpressibleByArgument {}
