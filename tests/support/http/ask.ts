import assert from 'node:assert/strict'

export type Asked = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, unknown>
}

type Request = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  // An object is sent as JSON with its content type; text and bytes are sent unchanged.
  readonly body?: unknown
}

// Every response must be JSON, have a request ID and not be cacheable: checked here for all of them.
export async function ask(url: string, { method = 'GET', headers = {}, body }: Request = {}): Promise<Asked> {
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(url, {
    method,
    headers: isRaw ? headers : { 'content-type': 'application/json', ...headers },
    body: isRaw ? (body ?? null) : JSON.stringify(body),
    redirect: 'manual',
  })
  const text = await response.text()
  assert.match(response.headers.get('content-type') ?? '', /^application\/json; charset=utf-8$/, text)
  assert.match(response.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) as Record<string, unknown> }
}

export function assertRefused(asked: Asked, code: number, status: number): void {
  assert.deepEqual(Object.keys(asked.json).toSorted(), ['code', 'error', 'status'], asked.text)
  assert.deepEqual([asked.json['status'], asked.json['code'], asked.status], [false, code, status], asked.text)
  assert.equal(typeof asked.json['error'], 'string')
  assert.match(asked.headers.get('link') ?? '', new RegExp(`^<[^<>]*/docs/errors/${code}>; rel="help"$`))
}
