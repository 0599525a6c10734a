// The histories of a run: what clients requested and received, what the carrier saw, what the webhook receiver got, and
// the final state of the database. Also what was broken when, and what the search for secrets found. Each is a file of
// JSON lines, so that a run can be checked again without running it.

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestKind } from './plan.ts'

// One attempt of one request.
export type ClientLine = {
  readonly n: number
  readonly kind: RequestKind
  readonly method: 'initCall' | 'inboundCallWaiting' | 'getInfo'
  readonly serviceId: number
  readonly phone: string
  readonly unique?: string
  readonly sentAtMs: number
  readonly doneAtMs: number
  // Absent when no response came: then it is unknown whether it was done, unless it was never sent.
  readonly response?: ClientResponse
  readonly isUnsent?: true
}

export type ClientResponse = {
  readonly status: number
  readonly code?: number
  readonly vendorId?: number
  readonly exists?: boolean
  readonly callStatus?: number
  readonly cost?: number
}

export type CarrierLine =
  | {
      readonly type: 'dialog'
      readonly atMs: number
      readonly callId: string
      readonly phone: string
      readonly event: string
    }
  | {
      readonly type: 'call-in'
      readonly atMs: number
      readonly phone: string
      readonly called: string
      readonly statuses: readonly number[]
    }

export type ReceiverLine = {
  readonly atMs: number
  readonly path: string
  readonly webhookId: string
  readonly isSigned: boolean
  readonly callId: number
  readonly clientNumber: string
  readonly status: number
}

export type RecordLine =
  | {
      readonly type: 'account'
      readonly id: number
      readonly balance: number
      readonly held: number
    }
  | {
      readonly type: 'service'
      readonly id: number
      readonly accountId: number
      readonly calls10Minutes: number
      readonly callsDay: number
    }
  | {
      readonly type: 'verification'
      readonly id: number
      readonly accountId: number
      readonly serviceId: number
      readonly mode: 'flash' | 'voice' | 'mix' | 'inbound'
      readonly state: string
      // Looked up by hash among the numbers of the run; empty if it is none of them.
      readonly phone: string
      readonly unique?: string
      readonly price: number
      readonly attempt: number
      readonly reason?: string
      readonly acceptedAtMs: number
      // The time the limits were evaluated at.
      readonly evaluatedAtMs: number
      readonly endUntilMs: number
      readonly endedAtMs?: number
    }
  | {
      readonly type: 'entry'
      readonly id: number
      readonly sequence: number
      readonly accountId: number
      readonly from: string
      readonly to: string
      readonly amount: number
    }
  // A call counted by the limits of a number. The token is the ID of its verification, or negative where account and
  // number are in different databases.
  | {
      readonly type: 'counted'
      readonly phone: string
      readonly serviceId: number
      readonly token: number
      readonly atMs: number
    }
  | { readonly type: 'key'; readonly serviceId: number; readonly digest: string; readonly id: number }
  // Every change of a state, recorded by a trigger.
  | { readonly type: 'change'; readonly id: number; readonly from: string; readonly to: string; readonly atMs: number }
  | {
      readonly type: 'webhook'
      readonly id: number
      readonly state: string
      readonly reason?: string
      readonly attempts: number
    }

export type FaultLine = {
  readonly act: string
  readonly victim: string
  readonly atMs: number
  // When it responded again.
  readonly backAtMs: number
}

// A secret that was found, or a seeded value that had to be found.
export type ScanLine = {
  readonly place: 'postgres' | 'jetstream' | 'bus' | 'logs'
  readonly what: 'number' | 'key' | 'code' | 'control'
  readonly where: string
}

export type Settings = {
  readonly seed: number
  readonly timeScale: number
  readonly databases: number
  readonly funded: Readonly<Record<string, number>>
}

export type Histories = {
  readonly settings: Settings
  readonly client: readonly ClientLine[]
  readonly carrier: readonly CarrierLine[]
  readonly receiver: readonly ReceiverLine[]
  readonly record: readonly RecordLine[]
  readonly faults: readonly FaultLine[]
  readonly scan: readonly ScanLine[]
}

export type Recorder = {
  readonly settings: (settings: Settings) => void
  readonly client: (line: ClientLine) => void
  readonly carrier: (line: CarrierLine) => void
  readonly receiver: (line: ReceiverLine) => void
  readonly record: (line: RecordLine) => void
  readonly fault: (line: FaultLine) => void
  readonly scan: (line: ScanLine) => void
}

const names = ['client', 'carrier', 'receiver', 'record', 'faults', 'scan'] as const

export function createRecorder(directory: string): Recorder {
  mkdirSync(directory, { recursive: true })
  for (const name of names) writeFileSync(pathOf(directory, name), '')
  const into = (name: (typeof names)[number]) => (line: unknown) =>
    appendFileSync(pathOf(directory, name), `${JSON.stringify(line)}\n`)
  return {
    settings: (settings) => writeFileSync(join(directory, 'settings.json'), JSON.stringify(settings)),
    client: into('client'),
    carrier: into('carrier'),
    receiver: into('receiver'),
    record: into('record'),
    fault: into('faults'),
    scan: into('scan'),
  }
}

export function readHistories(directory: string): Histories {
  const lines = <T>(name: (typeof names)[number]) =>
    readFileSync(pathOf(directory, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as T)
  return {
    settings: JSON.parse(readFileSync(join(directory, 'settings.json'), 'utf8')) as Settings,
    client: lines<ClientLine>('client'),
    carrier: lines<CarrierLine>('carrier'),
    receiver: lines<ReceiverLine>('receiver'),
    record: lines<RecordLine>('record'),
    faults: lines<FaultLine>('faults'),
    scan: lines<ScanLine>('scan'),
  }
}

// The database lines of one kind.
export function recorded<T extends RecordLine['type']>(
  { record }: Pick<Histories, 'record'>,
  type: T,
): readonly Extract<RecordLine, { type: T }>[] {
  return record.filter((line): line is Extract<RecordLine, { type: T }> => line.type === type)
}

function pathOf(directory: string, name: string): string {
  return join(directory, `${name}.jsonl`)
}
