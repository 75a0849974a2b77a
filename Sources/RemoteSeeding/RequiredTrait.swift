#if !RemoteSeeds
  #error(
    "The product RemoteSeeding needs the trait RemoteSeeds: write traits: [\"RemoteSeeds\"] in the dependency, or build this checkout with Scripts/build"
  )
#endif
