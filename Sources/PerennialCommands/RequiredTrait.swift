#if !Command
  #error(
    "the command perennial needs the trait Command of the package: add it to the traits of the dependency, or leave the traits out"
  )
#endif
