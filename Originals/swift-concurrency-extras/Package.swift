// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-concurrency-extras",
  products: [
    .library(name: "ConcurrencyExtras", targets: ["ConcurrencyExtras"])
  ],
  dependencies: [.package(name: "rondo", path: "../..")],
  targets: [
    .target(
      name: "ConcurrencyExtras",
      dependencies: [.product(name: "RondoCompatibility", package: "rondo")])
  ]
)
