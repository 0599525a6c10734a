// Clients that were written for another service, known by what they send, and the settings they need here. Without the alias
// such a client places a call, the customer pays for it, and then the client fails at the missing ID.

import { type Compatibility, compatibilities } from './service.ts'

type RequestSigns = {
  readonly apiMethod: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly parameters: ReadonlyMap<string, unknown>
}

type KnownClient = {
  readonly name: string
  readonly needs: Compatibility
  readonly isMet: (signs: RequestSigns) => boolean
}

const knownClients: readonly KnownClient[] = [
  // It misspells the header.
  { name: 'kebrick/pyucallerapi', needs: 'ucaller', isMet: ({ headers }) => headers['contenttype'] !== undefined },
  {
    name: 'i-panov/ucaller_php_client',
    needs: 'ucaller',
    isMet: ({ headers }) =>
      headerOf(headers, 'user-agent').startsWith('GuzzleHttp/') &&
      headers['content-type'] === 'application/x-www-form-urlencoded' &&
      headers['authorization'] !== undefined,
  },
  {
    name: 'a client of uCaller',
    needs: 'ucaller',
    isMet: ({ apiMethod, parameters }) => apiMethod === 'initRepeat' || parameters.has('ucaller_id'),
  },
]

function headerOf(headers: RequestSigns['headers'], name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

export type ClientHint = { readonly client: string; readonly needs: Compatibility }

type HeldSettings = { readonly idAlias: string; readonly statusStyle: string; readonly repeats: boolean }

// Undefined: no known client, or the service has what it needs.
export function clientHintOf(signs: RequestSigns, service: HeldSettings): ClientHint | undefined {
  const client = knownClients.find(({ isMet }) => isMet(signs))
  return client && hintOfClient(client.name, service)
}

export function hintOfClient(name: string, service: HeldSettings): ClientHint | undefined {
  const needs = knownClients.find((client) => client.name === name)?.needs
  if (needs === undefined) return undefined
  const wanted = compatibilities[needs]
  const fits =
    service.idAlias === wanted['id-alias'] &&
    service.statusStyle === wanted['status-style'] &&
    service.repeats === (wanted.repeats === 'on')
  return fits ? undefined : { client: name, needs }
}

export function adviceFor({ client, needs }: ClientHint): string {
  return `Requests look like ${client}, which needs: ringproof services set ID --compatible-with ${needs}`
}
