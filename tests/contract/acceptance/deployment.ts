// What a check of the contract has to work with: an HTTP address, and new services as an operator creates them. It sees a
// deployment only from outside, so it can be run against anything that claims to serve the contract.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Asked, ask } from '../../support/http/ask.ts'
import { poll } from '../../support/poll.ts'

export type ApiService = {
  readonly serviceId: number
  readonly key: string
  readonly webhookSecret: string
  readonly bearer: { readonly authorization: string }
}

export type Deployment = {
  readonly base: string
  // A service of a new account with this balance.
  readonly newService: (balance: number) => Promise<ApiService>
}

export type Check = {
  readonly name: string
  // Checks that fail authentication on purpose run one after another: more than five failures a second block the address.
  readonly failsAuthentication?: true
  readonly run: (deployment: Deployment) => Promise<void>
}

type Json = Readonly<Record<string, unknown>>

export type ApiClient = {
  readonly service: ApiService
  readonly get: (method: string, parameters?: Readonly<Record<string, string>>, headers?: Headers) => Promise<Asked>
  readonly post: (method: string, body?: Json, headers?: Headers) => Promise<Asked>
  readonly balance: () => Promise<number>
  // The final getInfo of a verification.
  readonly ended: (started: Json) => Promise<Json>
}
type Headers = Readonly<Record<string, string>>

// These two belong to nobody: calls to the first succeed, calls to the second fail, and both are free.
export const testNumber = '79000000001'
export const failingTestNumber = '79000000002'

// A port on which nothing listens.
export const deadUrl = 'http://127.0.0.1:9/webhook'

export async function newClient({ base, newService }: Deployment, balance = 100): Promise<ApiClient> {
  return clientOf(base, await newService(balance))
}

export function clientOf(base: string, service: ApiService): ApiClient {
  const { bearer } = service
  const get: ApiClient['get'] = (method, parameters = {}, headers = {}) =>
    ask(`${base}/v1.0/${method}?${new URLSearchParams(parameters).toString()}`, { headers: { ...bearer, ...headers } })
  const post: ApiClient['post'] = (method, body = {}, headers = {}) =>
    ask(`${base}/v1.0/${method}`, { method: 'POST', headers: { ...bearer, ...headers }, body })
  return {
    service,
    get,
    post,
    balance: async () => Number(succeeded(await get('getBalance'))['rub_balance']),
    ended: (started) =>
      poll(
        `verification ${String(started['vendor_id'])} to end`,
        async () => succeeded(await get('getInfo', { uid: String(started['vendor_id']) })),
        (info) => info['call_status'] !== -1,
        { timeoutMs: 90_000, intervalMs: 250 },
      ),
  }
}

export function succeeded({ status, json, text }: Asked): Json {
  assert.equal(status, 200, text)
  assert.notEqual(json['status'], false, text)
  return json
}

// All required fields, and none but the required and the optional ones.
export function assertFields(value: Json, required: readonly string[], optional: readonly string[] = []): void {
  const names = Object.keys(value)
  const missing = required.filter((name) => !names.includes(name))
  const extra = names.filter((name) => !required.includes(name) && !optional.includes(name))
  assert.deepEqual({ missing, extra }, { missing: [], extra: [] }, JSON.stringify(value))
}

export function assertPicked(value: Json, expected: Json): void {
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, value[name]])), expected)
}

export function assertAmount(actual: number, expected: number): void {
  assert(Math.abs(actual - expected) < 1e-6, `${actual} instead of ${expected}`)
}

export function assertVerificationId(id: unknown): asserts id is number {
  assert(Number.isSafeInteger(id) && Number(id) > 0, `${String(id)} is no verification ID`)
}

export function assertRecent(unixSeconds: unknown): void {
  const offBySeconds = Math.abs(Number(unixSeconds) - Date.now() / 1_000)
  assert(Number.isInteger(unixSeconds) && offBySeconds < 120, `${String(unixSeconds)} is not within two minutes of now`)
}

// Keeps failed authentications below five a second.
export async function unhurried(request: () => Promise<Asked>): Promise<Asked> {
  await sleep(300)
  return request()
}
