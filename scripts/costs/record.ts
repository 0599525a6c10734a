// Loaded into every test process before its test file: when the process ends, it appends what the file has cost to the file
// that the runner names in TEST_COSTS. The head of report.ts says what each field means.

import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { before } from 'node:test'
import { cpuMsOf, cpuMsOfEnded } from '../../bench/cpu.ts'
import { databaseChannel, type FileCost } from './report.ts'

const path = process.env['TEST_COSTS']
const counts = { loadMs: 0, processes: 0, databases: 0 }

before(() => {
  counts.loadMs = Math.round(performance.now())
})
subscribe('child_process', () => {
  counts.processes += 1
})
subscribe(databaseChannel, () => {
  counts.databases += 1
})
process.on('exit', () => {
  if (path === undefined) return
  const cost: FileCost = {
    file: process.argv[1] ?? '',
    tookMs: Math.round(performance.now()),
    waitedMs: Math.round(performance.eventLoopUtilization().idle),
    ...counts,
    ownMs: cpuMsOf(process.pid),
    childrenMs: cpuMsOfEnded(process.pid),
  }
  appendFileSync(path, `${JSON.stringify(cost)}\n`)
})
