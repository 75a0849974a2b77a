#if !RemoteSeeds
  #error(
    "RemoteSeeding needs the trait RemoteSeeds of the package: add it to the traits of the dependency, or leave the traits out"
  )
#endif
