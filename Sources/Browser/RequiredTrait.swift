#if !Browser
  #error(
    "The product Browser needs the trait Browser: write traits: [\"Browser\"] in the dependency, or build this checkout with Scripts/build"
  )
#endif
