// A logged request as text: as it was sent and as it was returned. Values that the log does not have are filled in where they are
// known and may be seen; the others are dots, as many as the value had characters.

import type { AuthScheme, HiddenValue, LoggedField, LoggedParameters, LoggedResponse } from './api-request.ts'

// By the names of fields.
export type KnownValues = Readonly<Record<string, string | number | undefined>>

type Sent = {
  readonly verb: string
  readonly method: string
  readonly serviceId: number
  readonly auth: AuthScheme
  readonly userAgent: string
  readonly request: LoggedParameters
}

type Returned = {
  readonly id: string
  readonly httpStatus: number
  readonly response: LoggedResponse
}

// The environment variable of the curl command and of the texts: the key itself is known to nobody here.
const keyVariable = '$RINGPROOF_KEY'
const dotsMax = 24

export function requestText(sent: Sent, known: KnownValues): string {
  const { verb, auth, serviceId, userAgent, request } = sent
  const values = valuesOf(request.fields, known)
  const isQuery = verb === 'GET'
  const credentials = auth === 'header' ? [] : [`key=${keyVariable}`, `service_id=${serviceId}`]
  const query = isQuery ? [...credentials, ...values.map(([name, value]) => `${name}=${plain(value)}`)].join('&') : ''
  const lines = [
    `${verb} ${pathOf(sent)}${query === '' ? '' : `?${query}`}`,
    ...(auth === 'header' ? [`Authorization: Bearer ${keyVariable}.${serviceId}`] : []),
    ...(isQuery || request.kind === 'unreadable' ? [] : [`Content-Type: ${mediaTypeOf(request)}`]),
    ...(userAgent === '' ? [] : [`User-Agent: ${userAgent}`]),
  ]
  return isQuery || request.kind === 'unreadable' ? lines.join('\n') : [...lines, '', bodyOf(sent, values)].join('\n')
}

export function responseText({ id, response }: Returned, known: KnownValues): string {
  const retry = response.retryAfter === undefined ? [] : [`Retry-After: ${response.retryAfter}`]
  return [`X-Request-Id: ${id}`, ...retry, '', jsonText(valuesOf(response.fields, known))].join('\n')
}

// Runs after the variable is set and the values in capitals are replaced.
export function curlCommand(sent: Sent, publicUrl: string): string {
  const { verb, serviceId, request } = sent
  const values = request.fields.map(({ name, value }) => [name, value ?? name.toUpperCase()] as const)
  const header = `  -H "Authorization: Bearer ${keyVariable}.${serviceId}"`
  const url = `${publicUrl}${pathOf(sent)}`
  if (verb === 'GET') {
    const query = values.map(([name, value]) => `  --data-urlencode '${name}=${plain(value)}'`)
    return ['curl -G', header, ...query, `  '${url}'`].join(' \\\n')
  }
  const type = `  -H 'Content-Type: application/json'`
  const body = `  -d '${JSON.stringify(Object.fromEntries(values))}'`
  return [`curl -X ${verb}`, header, type, body, `  '${url}'`].join(' \\\n')
}

type Values = readonly (readonly [name: string, value: unknown])[]

function valuesOf(fields: readonly LoggedField[], known: KnownValues): Values {
  return fields.map(({ name, value, hidden }) => [name, hidden ? (known[name] ?? dots(hidden)) : value] as const)
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function dots({ form, length }: HiddenValue): string {
  return form === 'other' || form === 'list' ? '…' : '•'.repeat(Math.min(length, dotsMax))
}

function pathOf({ method }: Sent): string {
  return `/v1.0/${method === 'unknown' ? '…' : method}`
}

function mediaTypeOf({ kind }: LoggedParameters): string {
  return kind === 'text' ? 'application/x-www-form-urlencoded' : 'application/json'
}

function bodyOf({ auth, serviceId, request }: Sent, values: Values): string {
  const credentials: Values =
    auth === 'body'
      ? [
          ['key', keyVariable],
          ['service_id', serviceId],
        ]
      : []
  const all = [...credentials, ...values]
  return request.kind === 'text' ? all.map(([name, value]) => `${name}=${plain(value)}`).join('&') : jsonText(all)
}

function jsonText(values: Values): string {
  if (values.length === 0) return '{}'
  const lines = values.map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  return `{\n${lines.join(',\n')}\n}`
}
