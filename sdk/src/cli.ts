#!/usr/bin/env node
// npx @ringproof/client listen --forward-to URL

import { listen } from './listen.ts'

const usage = `Usage: ringproof-client listen --forward-to URL [--url URL] [--service ID]

Posts the webhooks of a service to a program on this machine, signed, without a public address.

  --forward-to URL   where they go, as http://127.0.0.1:3000/ring
  --url URL          the address of Ringproof; RINGPROOF_URL by default
  --service ID       the service; RINGPROOF_SERVICE by default

The key is read from RINGPROOF_KEY only: arguments are visible to other users of a machine. Its scope "read" is enough.
`

function main(): Promise<void> {
  const [command, ...options] = process.argv.slice(2)
  const { RINGPROOF_URL, RINGPROOF_SERVICE, RINGPROOF_KEY: key } = process.env
  const baseUrl = valueOf(options, '--url') ?? RINGPROOF_URL
  const serviceId = valueOf(options, '--service') ?? RINGPROOF_SERVICE
  const forwardTo = valueOf(options, '--forward-to')
  if (command !== 'listen' || !baseUrl || !serviceId || !key || !forwardTo || !URL.canParse(forwardTo)) {
    throw new Error(usage)
  }
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.once('SIGTERM', () => stopping.abort())
  const print = (line: string) => process.stdout.write(`${line}\n`)
  return listen({ baseUrl, serviceId, key, forwardTo, print, signal: stopping.signal })
}

function valueOf(options: readonly string[], name: string): string | undefined {
  const at = options.indexOf(name)
  return at < 0 ? undefined : options[at + 1]
}

new Promise<void>((resolve) => {
  resolve(main())
}).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
