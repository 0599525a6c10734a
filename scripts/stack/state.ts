// The ports and passwords of one clone's stack, kept between runs in `.stack/state.json`.

import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { freePort } from './ports.ts'

const portNames = [
  'postgres',
  'nats',
  'http',
  'httpAlt',
  'metrics',
  'asterisk',
  'sip',
  'sipTls',
  'edge',
  'edgeSip',
  'carrier',
  'phones',
  'phonesSip',
  'phonesSipTls',
] as const
const passwordNames = ['postgresSuperuser', 'postgresOwner', 'postgresApp', 'nats', 'ari', 'phones'] as const

type PortName = (typeof portNames)[number]
type PasswordName = (typeof passwordNames)[number]

export type State = { ports: Record<PortName, number>; passwords: Record<PasswordName, string> }
type PartialState = { ports: Partial<State['ports']>; passwords: Partial<State['passwords']> }

export const stackDirectory = resolve(import.meta.dirname, '../../.stack')
// The unpacked servers: an image has them where nothing can be written.
export const programsDirectory = process.env['STACK_PROGRAMS'] ?? stackDirectory
export const secretsDirectory = join(stackDirectory, 'secrets')
export const numberingDirectory = join(stackDirectory, 'numbering')
const statePath = join(stackDirectory, 'state.json')

/** Reads the state and adds what is missing; it is on disk before any server depends on it. */
export async function loadState(): Promise<State> {
  await mkdir(secretsDirectory, { recursive: true, mode: 0o700 })
  const state = await readStateFile()
  for (const name of portNames) state.ports[name] ??= await freePort(Object.values(state.ports))
  for (const name of passwordNames) state.passwords[name] ??= randomBytes(24).toString('base64url')
  if (!isComplete(state)) throw new Error(`${statePath} cannot be completed`)
  await saveState(state)
  return state
}

/** Returns the state, if a complete one was written. */
export async function readState(): Promise<State | undefined> {
  const state = await readStateFile()
  return isComplete(state) ? state : undefined
}

export async function renewPort(state: State, name: PortName): Promise<void> {
  state.ports[name] = await freePort(Object.values(state.ports))
  await saveState(state)
}

async function readStateFile(): Promise<PartialState> {
  let text: string
  try {
    text = await readFile(statePath, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { ports: {}, passwords: {} }
    throw error
  }
  const stored: unknown = JSON.parse(text)
  if (!isPartialState(stored)) throw new Error(`${statePath} was not written by this program: move it away`)
  return stored
}

function isPartialState(stored: unknown): stored is PartialState {
  if (typeof stored !== 'object' || stored === null || !('ports' in stored) || !('passwords' in stored)) return false
  const { ports, passwords } = stored
  return typeof ports === 'object' && ports !== null && typeof passwords === 'object' && passwords !== null
}

function isComplete(state: PartialState): state is State {
  return (
    portNames.every((name) => state.ports[name] !== undefined) &&
    passwordNames.every((name) => state.passwords[name] !== undefined)
  )
}

/** Writes to a temporary name first, so that a crash leaves either the old state or the new one. */
async function saveState(state: State): Promise<void> {
  const newPath = `${statePath}.new`
  await writeFile(newPath, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600, flush: true })
  await rename(newPath, statePath)
}
