// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-identified-collections",
  products: [
    .library(name: "IdentifiedCollections", targets: ["IdentifiedCollections"])
  ],
  dependencies: [.package(name: "rondo", path: "../..")],
  targets: [
    .target(
      name: "IdentifiedCollections",
      dependencies: [.product(name: "RondoCompatibility", package: "rondo")])
  ]
)
