import ArgumentParser
import PerennialCommands

Perennial.main()
