// Brings the webhooks of a service to a program on this machine. It needs no public address: it holds a stream open, posts each
// webhook to the local address as Ringproof would, and reports back what the program responded.

export type ListenOptions = {
  readonly baseUrl: string
  readonly key: string
  readonly serviceId: string
  readonly forwardTo: string
  readonly print: (line: string) => void
  readonly signal: AbortSignal
}

type Offered = { readonly delivery: string; readonly headers: Record<string, string>; readonly body: string }

const responseTimeoutMs = 10_000
const retryMs = 1_000
const responseCharsMax = 2_000

/** Runs until the signal is aborted. Throws if the server refuses the key. */
export async function listen(options: ListenOptions): Promise<void> {
  const { signal, print } = options
  while (!signal.aborted) {
    try {
      await readStream(options)
    } catch (error) {
      if (error instanceof RefusedError) throw error
    }
    if (signal.aborted) return
    print('The connection was lost; connecting again.')
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

export class RefusedError extends Error {}

async function readStream(options: ListenOptions): Promise<void> {
  const { print, serviceId, forwardTo, signal } = options
  const response = await fetch(addressOf(options), { headers: headersOf(options), signal })
  if (response.status >= 400 && response.status < 500) {
    throw new RefusedError(`The server refused with ${response.status}: ${await response.text()}`)
  }
  if (!response.ok || response.body === null) throw new Error(`The server responded with ${response.status}.`)
  print(`Listening for webhooks of service ${serviceId}; they go to ${forwardTo}.`)
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      if (event.startsWith('data: '))
        forward(options, JSON.parse(event.slice('data: '.length)) as Offered).catch(() => undefined)
    }
  }
}

async function forward(options: ListenOptions, { delivery, headers, body }: Offered): Promise<void> {
  const startedMs = performance.now()
  const result = await post(options.forwardTo, headers, body)
  const tookMs = Math.round(performance.now() - startedMs)
  const said = result.status === null ? `not delivered: ${result.response}` : `${result.status} in ${tookMs} ms`
  options.print(`${new Date().toISOString().slice(11, 19)} verification ${headers['webhook-id'] ?? ''}: ${said}`)
  await fetch(addressOf(options), {
    method: 'POST',
    headers: { ...headersOf(options), 'content-type': 'application/json' },
    body: JSON.stringify({ delivery, ...result }),
    signal: AbortSignal.timeout(responseTimeoutMs),
  })
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ readonly status: number | null; readonly response: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(responseTimeoutMs),
    })
    return { status: response.status, response: (await response.text()).slice(0, responseCharsMax) }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { status: null, response: cause instanceof Error ? cause.message : String(cause) }
  }
}

function addressOf({ baseUrl }: ListenOptions): string {
  return `${baseUrl.replace(/\/+$/, '')}/test/v1/webhooks/listen`
}

function headersOf({ key, serviceId }: ListenOptions): Record<string, string> {
  return { authorization: `Bearer ${key}.${serviceId}` }
}
