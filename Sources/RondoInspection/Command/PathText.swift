// Paths as text, also those whose bytes are no text.

import Foundation
import RondoHistory

extension String {
  /// An argument of the command line.
  ///
  /// The name of a file may have any bytes. One that is not UTF-8 becomes a character that stands for
  /// it: the last ones that Unicode has, which are for private use.
  package init(argument bytes: some Collection<UInt8>) {
    self = ""
    var rest = Array(bytes)[...]
    while let first = rest.first {
      let scalar = (1...4).lazy.compactMap { length in
        String(validating: rest.prefix(length), as: UTF8.self)?.unicodeScalars.first
      }.first
      if let scalar, scalar.byte == nil {
        unicodeScalars.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        unicodeScalars.append(Unicode.Scalar(byte: first))
        rest = rest.dropFirst()
      }
    }
  }

  /// The bytes of a path, with a zero behind them.
  var pathBytes: [CChar] {
    let bytes = unicodeScalars.flatMap { scalar in
      scalar.byte.map { [$0] } ?? Array(String(scalar).utf8)
    }
    return (bytes + [0]).map { CChar(bitPattern: $0) }
  }

  /// The path that this path comes to when links are followed.
  var resolvedPath: String {
    guard let path = realpath(pathBytes, nil) else {
      return URL(filePath: self).standardizedFileURL.resolvingSymlinksInPath().path
    }
    defer { free(path) }
    return String(
      argument: UnsafeBufferPointer(start: path, count: strlen(path)).map(UInt8.init(bitPattern:)))
  }
}
