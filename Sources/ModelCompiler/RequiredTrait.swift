#if !Plugin
  #error(
    "CoreDataModelPlugin needs the trait Plugin of the package: add it to the traits of the dependency, or leave the traits out"
  )
#endif
