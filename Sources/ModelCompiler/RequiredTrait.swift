#if !Plugin
  #error(
    "CoreDataModelPlugin needs the trait Plugin: write traits: [\"Plugin\"] in the dependency, or build this checkout with Scripts/build"
  )
#endif
