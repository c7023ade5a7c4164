// Every workload, in the order of the table.

let allWorkloads: [Workload] =
  sendWorkloads + effectWorkloads + groupWorkloads + cancelWorkloads + hostWorkloads
  + timeWorkloads + clockWorkloads + testingWorkloads + residueWorkloads
