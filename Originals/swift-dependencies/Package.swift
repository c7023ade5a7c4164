// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-dependencies",
  products: [
    .library(name: "Dependencies", targets: ["Dependencies"]),
    .library(name: "DependenciesMacros", targets: ["DependenciesMacros"]),
    .library(name: "DependenciesTestSupport", targets: ["DependenciesTestSupport"]),
  ],
  dependencies: [.package(name: "rondo", path: "../..")],
  targets: [
    .target(
      name: "Dependencies",
      dependencies: [
        .product(name: "RondoCompatibility", package: "rondo"),
        .product(name: "RondoNetworking", package: "rondo"),
      ]),
    .target(
      name: "DependenciesMacros",
      dependencies: [.product(name: "RondoCompatibility", package: "rondo")]),
    .target(
      name: "DependenciesTestSupport",
      dependencies: [
        .product(name: "RondoTestCompatibility", package: "rondo"),
        .product(name: "RondoTesting", package: "rondo"),
      ]),
  ]
)
