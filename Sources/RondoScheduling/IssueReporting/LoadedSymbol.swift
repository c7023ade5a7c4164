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

/// The address of a function that a library of the process exports.
struct LoadedFunction: Sendable {
  private let address: UInt

  /// A function by its mangled name; `nil` where no library exports one.
  init?(_ name: String) {
    guard let symbol = loadedSymbol(name) else { return nil }
    address = UInt(bitPattern: symbol)
  }

  /// The function, as one of a type. The caller has looked up what it takes and gives.
  func callAsFunction<Function>(as type: Function.Type) -> Function {
    unsafeBitCast(address, to: type)
  }

  /// The function as a method of an object. A closure is a function and the object that it gets
  /// besides, so a structure with a closure can hold it.
  func method<Method>(of object: AnyObject, as type: Method.Type) -> Method {
    withUnsafeBytes(of: (address, object)) { $0.load(as: type) }
  }
}

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
