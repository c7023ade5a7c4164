// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-sharing",
  products: [
    .library(name: "Sharing", targets: ["Sharing"])
  ],
  dependencies: [.package(name: "rondo", path: "../..")],
  targets: [
    .target(name: "Sharing", dependencies: [.product(name: "RondoCompatibility", package: "rondo")])
  ]
)
