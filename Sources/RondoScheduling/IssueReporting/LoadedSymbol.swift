// Finding what a loaded library exports, by its name.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// The address of what a library of the process exports under a name; `nil` where none does.
func loadedSymbol(_ name: String) -> UnsafeMutableRawPointer? {
  dlsym(everyLoadedLibrary, name)
}

private var everyLoadedLibrary: UnsafeMutableRawPointer? {
  #if canImport(Darwin)
    UnsafeMutableRawPointer(bitPattern: -2)
  #else
    nil
  #endif
}
