// swift-tools-version: 6.2
import PackageDescription

// The ordered collections that features use, without the rest of the original.
let package = Package(
  name: "swift-collections",
  products: [
    .library(name: "OrderedCollections", targets: ["OrderedCollections"]),
    .library(name: "Collections", targets: ["Collections"]),
  ],
  targets: [
    .target(name: "OrderedCollections"),
    .target(name: "Collections", dependencies: ["OrderedCollections"]),
  ]
)
