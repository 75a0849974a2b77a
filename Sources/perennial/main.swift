import PerennialCommands

Perennial.main()
