// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "combine-schedulers",
  products: [
    .library(name: "CombineSchedulers", targets: ["CombineSchedulers"])
  ],
  dependencies: [.package(name: "rondo", path: "../..")],
  targets: [
    .target(
      name: "CombineSchedulers",
      dependencies: [.product(name: "RondoCompatibility", package: "rondo")])
  ]
)
