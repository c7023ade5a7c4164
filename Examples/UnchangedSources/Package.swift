// swift-tools-version: 6.2
import PackageDescription

// The sources of these targets say `import ComposableArchitecture`, and nothing else of where they
// are. What they mean by it is said here: Rondo in features, and in their tests Rondo with its tests.
let features: [SwiftSetting] = [
  .unsafeFlags(["-module-alias", "ComposableArchitecture=Rondo"])
]
let tests: [SwiftSetting] = [
  .unsafeFlags(["-module-alias", "ComposableArchitecture=RondoTesting"])
]

// A module can have one such name. For others there is a module each, of one line.
let names = [
  "CasePaths", "Clocks", "CombineSchedulers", "ConcurrencyExtras", "Dependencies",
  "DependenciesMacros", "IdentifiedCollections", "IssueReporting", "Sharing",
  "XCTestDynamicOverlay",
]
let testNames = ["CustomDump", "DependenciesTestSupport"]

let package = Package(
  name: "unchanged-sources",
  dependencies: [
    .package(name: "rondo", path: "../..")
  ],
  targets: [
    .target(
      name: "Features",
      dependencies: [.product(name: "Rondo", package: "rondo")],
      swiftSettings: features
    ),
    .testTarget(
      name: "FeaturesTests",
      dependencies: ["Features", .product(name: "RondoTesting", package: "rondo")],
      swiftSettings: tests
    ),
    .testTarget(
      name: "FeaturesXCTests",
      dependencies: ["Features", .product(name: "RondoTesting", package: "rondo")],
      swiftSettings: tests
    ),
    .target(
      name: "SwiftFive",
      dependencies: [.product(name: "Rondo", package: "rondo")],
      swiftSettings: features + [.swiftLanguageMode(.v5)]
    ),
    .testTarget(
      name: "SwiftFiveTests",
      dependencies: ["SwiftFive", .product(name: "RondoTesting", package: "rondo")],
      swiftSettings: tests + [.swiftLanguageMode(.v5)]
    ),
    .target(name: "SmallModules", dependencies: names.map { .byName(name: $0) }),
    .testTarget(
      name: "SmallModulesTests",
      dependencies: ["SmallModules"] + (names + testNames).map { .byName(name: $0) }
    ),
  ]
    + names.map { .name($0, for: "Rondo") }
    + testNames.map { .name($0, for: "RondoTesting") }
)

extension Target {
  static func name(_ name: String, for module: String) -> Target {
    .target(
      name: name,
      dependencies: [.product(name: module, package: "rondo")],
      path: "Sources/Names/\(name)"
    )
  }
}
