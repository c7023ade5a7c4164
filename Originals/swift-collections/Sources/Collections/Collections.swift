@_exported import OrderedCollections
