// Every fault of the matrix, by the numbers of the design. F13 is void: there is no Redis.

import type { Fault } from './case.ts'
import { databaseFaults } from './database-faults.ts'
import { machineFaults } from './machine-faults.ts'
import { networkFaults } from './network-faults.ts'
import { processFaults } from './process-faults.ts'
import { restore } from './restore.ts'
import { rollingRestart } from './rolling-restart.ts'
import { telephonyFaults } from './telephony-faults.ts'
import { webhookFaults } from './webhook-faults.ts'

export const faults: readonly Fault[] = [
  ...processFaults,
  ...databaseFaults,
  ...networkFaults,
  ...telephonyFaults,
  ...webhookFaults,
  ...machineFaults,
  restore,
  rollingRestart,
].toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))

// One of every kind, short enough for every commit.
export const chosenIds: readonly string[] = ['F1', 'F2', 'F4', 'F5', 'F9', 'F10']
