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
  ]
)
