// Every workload, in the order of the table.

let allWorkloads: [Workload] =
  sendWorkloads + nestedWorkloads + observedWorkloads + scopeWorkloads + listWorkloads
  + effectWorkloads + groupWorkloads + cancelWorkloads + hostWorkloads
  + timeWorkloads + clockWorkloads + testingWorkloads + explorationWorkloads
  + stageWorkloads + residueWorkloads
