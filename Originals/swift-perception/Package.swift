// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-perception",
  products: [
    .library(name: "Perception", targets: ["Perception"]),
    .library(name: "PerceptionCore", targets: ["PerceptionCore"]),
  ],
  dependencies: [.package(name: "rondo", path: "../..")],
  targets: [
    .target(
      name: "Perception", dependencies: [.product(name: "RondoCompatibility", package: "rondo")]),
    .target(
      name: "PerceptionCore", dependencies: [.product(name: "RondoCompatibility", package: "rondo")]
    ),
  ]
)
