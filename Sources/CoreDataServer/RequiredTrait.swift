#if !Server
  #error(
    "CoreDataServer needs the trait Server of the package: add it to the traits of the dependency, or leave the traits out"
  )
#endif
