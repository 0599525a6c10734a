// A process that does nothing: how long its event loop stands still is what the machine does to every process beside it.

import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
process.on('message', (message) => {
  if (message === 'start') delay.reset()
  else process.send?.({ maxMs: delay.max / 1e6, p99Ms: delay.percentile(99) / 1e6 }, () => process.exit())
})
process.send?.('ready')
