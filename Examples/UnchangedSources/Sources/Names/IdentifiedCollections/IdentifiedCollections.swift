@_exported import Rondo
