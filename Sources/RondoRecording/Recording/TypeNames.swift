// The names of types in recordings.

import Rondo
import Synchronization

/// The name of a type as code has to write it. One inside of a generic type has the types around it:
/// `Picker<Home.Item>.State`.
///
/// - Parameters:
///   - type: The type, or an optional or another wrapper of it.
///   - short: The name that messages call it by; `nil` where that is not known.
func recordedName(of type: Any.Type, shownAs short: String? = nil) -> String {
  let short = short ?? typeName(type)
  // A short name without a point may lack the generic type around it, and a generic type the types around that.
  let point = UInt8(ascii: ".")
  guard !short.utf8.contains(point) || short.utf8.last == UInt8(ascii: ">") else { return short }
  if let known = knownNames.withLock({ $0[ObjectIdentifier(type)] }), known.short == short {
    return known.name
  }
  // "Module.(unknown context at $7f54).Row" is private, or declared inside of a function.
  var name = String(reflecting: type)
    .replacing(/\((?:unknown context at \$[0-9a-f]+|extension in \w+)\)[.:]/, with: "")
    .replacing(/\w+\.((?:\w+\.)*\w+)/) { $0.output.1 }
  let wrapper = /(?:Optional|Shared|SharedReader|PresentationState|ComparedByDump)</
  while let match = name.prefixMatch(of: wrapper) {
    name = String(name[match.range.upperBound...].dropLast())
  }
  // Another value may be shown in place of one of the type.
  let isShown =
    short.hasSuffix(">")
    ? name.contains(".\(short.prefix { $0 != "<" })<") : name.hasSuffix(".\(short)")
  let isNested = isShown && name.contains("<")
  let known = (short: short, name: isNested ? name : short)
  knownNames.withLock { $0[ObjectIdentifier(type)] = known }
  return known.name
}

private let knownNames = Mutex<[ObjectIdentifier: (short: String, name: String)]>([:])
