// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

let package = Package(
  name: "rondo",
  products: [
    .library(name: "Rondo", targets: ["Rondo"]),
    .library(name: "RondoAnimation", targets: ["RondoAnimation"]),
    .library(name: "RondoScheduling", targets: ["RondoScheduling"]),
    .library(name: "RondoStage", targets: ["RondoStage"]),
  ],
  targets: [
    .target(name: "Rondo", dependencies: ["RondoAnimation", "RondoScheduling"]),
    .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
    .executableTarget(
      name: "benchmarks",
      dependencies: ["Rondo", "AllocationCounter"],
      path: "Benchmarks/benchmarks"
    ),
    .testTarget(name: "RondoTests", dependencies: ["Rondo"]),
    .testTarget(name: "RondoCompositionTests", dependencies: ["Rondo"]),
    .target(name: "RondoAnimation"),
    .target(name: "RondoScheduling", dependencies: ["RondoAnimation"]),
    .target(name: "RondoStage", dependencies: ["RondoAnimation", "RondoScheduling"]),
    .testTarget(name: "RondoStageTests", dependencies: ["RondoStage"]),
    .testTarget(name: "RondoAnimationTests", dependencies: ["RondoAnimation"]),
    .testTarget(name: "RondoSchedulingTests", dependencies: ["RondoScheduling"]),

    .target(
      name: "HomeFeature",
      dependencies: ["Rondo"],
      path: "Examples/isowords-home/HomeFeature"
    ),
    .executableTarget(
      name: "isowords-home",
      dependencies: ["HomeFeature"],
      path: "Examples/isowords-home/isowords-home"
    ),
    .testTarget(name: "HomeFeatureTests", dependencies: ["HomeFeature", "isowords-home"]),
  ]
)

// MARK: Macros

// The macros stand on the SwiftSyntax that is part of the toolchain, so that Rondo needs no package.
// Where a toolchain lacks it, or where `RONDO_WITHOUT_MACROS` is set, Rondo is built without them.
if let modules = swiftSyntaxModules() {
  let compile: [SwiftSetting] = [.unsafeFlags(["-I", modules])]
  let link: [LinkerSetting] = [
    .unsafeFlags(["-L", modules, "-Xlinker", "-rpath", "-Xlinker", modules])
  ]
  package.targets += [
    .macro(name: "RondoMacros", swiftSettings: compile, linkerSettings: link),
    .testTarget(
      name: "RondoMacrosTests", dependencies: ["Rondo", "RondoMacros"],
      swiftSettings: compile, linkerSettings: link),
  ]
  for target in package.targets where target.name == "Rondo" {
    target.dependencies.append("RondoMacros")
    target.swiftSettings = [.define("RONDO_MACROS")]
  }
}

/// The folder in which the toolchain keeps SwiftSyntax, if it has all that the macros need.
///
/// The toolchain is the one that runs this manifest, and so has loaded `PackageDescription` into it;
/// where that cannot be seen, it is the first one on the search path.
func swiftSyntaxModules() -> String? {
  let environment = ProcessInfo.processInfo.environment
  guard environment["RONDO_WITHOUT_MACROS"] == nil else { return nil }

  let loaded = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
  let manifestAPI = "/lib/swift/pm/ManifestAPI/libPackageDescription.so"
  let running = loaded.split(separator: "\n")
    .filter { $0.hasSuffix(manifestAPI) }
    .map { $0.drop { $0 != "/" }.dropLast(manifestAPI.count) }
  let searched = (environment["PATH"] ?? "").split(separator: ":")
    .map { URL(filePath: "\($0)/swiftc").resolvingSymlinksInPath().path }
    .filter { FileManager.default.isExecutableFile(atPath: $0) }
    .map { $0.dropLast("/bin/swiftc".count) }

  return (running + searched).map { "\($0)/lib/swift/host" }.first { folder in
    ["SwiftSyntaxMacroExpansion", "SwiftCompilerPluginMessageHandling"].allSatisfy {
      FileManager.default.fileExists(atPath: "\(folder)/\($0).swiftmodule")
        && FileManager.default.fileExists(atPath: "\(folder)/lib\($0).so")
    }
  }
}
