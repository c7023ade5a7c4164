// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "movies",
  dependencies: [
    .package(name: "rondo", path: "../..")
  ],
  targets: [
    .target(name: "Movies", dependencies: [.product(name: "Rondo", package: "rondo")]),
    .executableTarget(name: "movies-demo", dependencies: ["Movies"]),
    .testTarget(
      name: "MoviesTests",
      dependencies: ["Movies", .product(name: "RondoTesting", package: "rondo")]),
  ]
)

for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}
