// Calls the internal API. Types come from the contract; of its values only those without TypeBox enter the bundle.

import type { EndpointName, WebError, WebInput, WebOutput, WebRefusal } from '@ringproof/contract/web/api.ts'
import { askHealth, noteContact } from './connection.ts'
import { awayHeaders } from './presence.ts'
import { reads } from './reads.ts'

export class RefusedError extends Error {
  readonly refusal: WebRefusal

  constructor(refusal: WebRefusal) {
    super(refusal.error)
    this.refusal = refusal
  }
}

// The request did not reach the server, or something between answered instead.
class UnreachableError extends Error {}

type RefusalHandlers = {
  readonly onSignedOut: () => void
  readonly onMissingFactor: () => void
  // Another tab chose another account.
  readonly onOtherAccount: () => void
  // Asks for the password or a factor; false if the person closed the dialog.
  readonly confirmPerson: () => Promise<boolean>
}

let handlers: RefusalHandlers | undefined
// The account whose data this page shows, from its first read until it loads anew.
let shownAccount: number | undefined

export function handleRefusals(next: RefusalHandlers): void {
  handlers = next
}

export async function call<Name extends EndpointName>(name: Name, input: WebInput<Name>): Promise<WebOutput<Name>> {
  try {
    const output = await send(name, input)
    if (name === 'me') noteAccount(output as WebOutput<'me'>)
    return output
  } catch (error) {
    const reason = error instanceof RefusedError ? error.refusal.error : undefined
    if (reason === 'not-signed-in') handlers?.onSignedOut()
    if (reason === 'add-factor') handlers?.onMissingFactor()
    if (reason === 'other-account') handlers?.onOtherAccount()
    if (reason !== 'confirm-person' || handlers === undefined || !(await handlers.confirmPerson())) throw error
    return await send(name, input)
  }
}

async function send<Name extends EndpointName>(name: Name, input: WebInput<Name>): Promise<WebOutput<Name>> {
  const response = await request(name, input).catch(() => {
    askHealth().catch(() => undefined)
    throw new UnreachableError(name)
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok || isRefusal(body)) noteContact()
  if (response.ok) return (body ?? {}) as WebOutput<Name>
  throw isRefusal(body) ? new RefusedError(body) : new UnreachableError(`${name} ${response.status}`)
}

function noteAccount({ account }: WebOutput<'me'>): void {
  if (account === null) return
  shownAccount ??= account.id
  if (account.id !== shownAccount) handlers?.onOtherAccount()
}

async function request(name: EndpointName, input: object): Promise<Response> {
  const common = { ...awayHeaders(), ...(shownAccount === undefined ? {} : { 'shown-account': String(shownAccount) }) }
  if (!reads.has(name)) {
    const headers = { 'content-type': 'application/json', ...common }
    return await fetch(`/web/${name}`, { method: 'POST', headers, body: JSON.stringify(input) })
  }
  const query = new URLSearchParams(
    Object.entries(input).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  )
  return await fetch(query.size === 0 ? `/web/${name}` : `/web/${name}?${query}`, { headers: common })
}

function isRefusal(body: unknown): body is WebRefusal {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'
}

export function errorOf(error: unknown): WebError | 'network' {
  return error instanceof RefusedError ? error.refusal.error : 'network'
}
