// Every workload, in the order of the table.

let allWorkloads: [Workload] = [
  sendWorkloads, nestedWorkloads, observedWorkloads, scopeWorkloads, listWorkloads,
  recordedWorkloads, effectWorkloads, groupWorkloads, cancelWorkloads, hostWorkloads,
  timeWorkloads, clockWorkloads, testStoreClockWorkloads, testingWorkloads,
  explorationWorkloads, stageWorkloads, residueWorkloads,
].flatMap(\.self)
