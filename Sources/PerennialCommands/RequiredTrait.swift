#if !Command
  #error(
    "The command perennial needs the trait Command: write traits: [\"Command\"] in the dependency, or build this checkout with Scripts/build"
  )
#endif
