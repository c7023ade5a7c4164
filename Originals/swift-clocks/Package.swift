// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-clocks",
  products: [
    .library(name: "Clocks", targets: ["Clocks"])
  ],
  dependencies: [.package(name: "rondo", path: "../..")],
  targets: [
    .target(name: "Clocks", dependencies: [.product(name: "RondoCompatibility", package: "rondo")])
  ]
)
