// The few functions of the C library that the mathematics needs, without Foundation.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(WASILibc)
  import WASILibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The elementary functions, in double precision.
enum Elementary {
  static func exp(_ x: Double) -> Double { _exp(x) }
  static func log(_ x: Double) -> Double { _log(x) }
  static func sinCos(_ x: Double) -> (sin: Double, cos: Double) { (_sin(x), _cos(x)) }
  static func sinhCosh(_ x: Double) -> (sinh: Double, cosh: Double) { (_sinh(x), _cosh(x)) }
}

private func _exp(_ x: Double) -> Double { exp(x) }
private func _log(_ x: Double) -> Double { log(x) }
private func _sin(_ x: Double) -> Double { sin(x) }
private func _cos(_ x: Double) -> Double { cos(x) }
private func _sinh(_ x: Double) -> Double { sinh(x) }
private func _cosh(_ x: Double) -> Double { cosh(x) }
