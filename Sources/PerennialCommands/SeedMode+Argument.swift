public import ArgumentParser
public import Seeding

extension SeedMode: ExpressibleByArgument {}
