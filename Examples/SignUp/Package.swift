// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "sign-up",
  dependencies: [
    .package(name: "rondo", path: "../..")
  ],
  targets: [
    .target(name: "SignUpFeature", dependencies: [.product(name: "Rondo", package: "rondo")]),
    .testTarget(
      name: "SignUpFeatureTests",
      dependencies: ["SignUpFeature", .product(name: "RondoTesting", package: "rondo")]
    ),
  ]
)

for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}
