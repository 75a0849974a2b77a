#if !Server
  #error(
    "The product CoreDataServer needs the trait Server: write traits: [\"Server\"] in the dependency, or build this checkout with Scripts/build"
  )
#endif
