#if !Browser
  #error(
    "the product Browser needs the trait Browser of the package: add it to the traits of the dependency, or leave the traits out"
  )
#endif
