// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-navigation",
  products: [
    .library(name: "SwiftNavigation", targets: ["SwiftNavigation"])
  ],
  dependencies: [.package(name: "rondo", path: "../..")],
  targets: [
    .target(
      name: "SwiftNavigation",
      dependencies: [.product(name: "RondoCompatibility", package: "rondo")])
  ]
)
