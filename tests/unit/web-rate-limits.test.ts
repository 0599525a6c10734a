// The routes come from the app itself, as Fastify announces them: one that was added without a thought is among them.

import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { test } from 'node:test'
import { webApi } from '@ringproof/contract/web/api.ts'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { buildWebApp, type WebAppDeps } from '../../server/src/web/app.ts'

type Rate = { readonly scope: string; readonly perSecond: number }

// Every route with the rate that it asked for; undefined: it answered without asking.
async function ratesOfRoutes(prepare: (app: FastifyInstance) => void = () => undefined) {
  const routes: RouteOptions[] = []
  const onApp = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => void routes.push(route))
    prepare(fastify)
  }
  diagnostics.subscribe('fastify.initialization', onApp)
  let asked: Rate | undefined
  const limitRate = (_: string, scope: string, perSecond: number) => {
    asked = { scope, perSecond }
    return 7
  }
  const app = await buildWebApp(depsWith(limitRate))
  diagnostics.unsubscribe('fastify.initialization', onApp)
  const rates = new Map<string, Rate | undefined>()
  for (const { method, url } of [...routes, { method: 'GET', url: '/no/such/route' }]) {
    asked = undefined
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const verb = method as 'GET' | 'POST'
    const { statusCode } = await app.inject({ method: verb, url: url.replace('*', 'x'), headers })
    rates.set(`${verb} ${url}`, statusCode === 429 ? asked : undefined)
  }
  await app.close()
  return rates
}

const unlimited = (rates: ReadonlyMap<string, Rate | undefined>) =>
  [...rates].filter(([, rate]) => rate === undefined).map(([route]) => route)

test('every route of the web app has a rate limit', async () => {
  const rates = await ratesOfRoutes()
  assert.deepEqual(unlimited(rates), [])
  for (const [name, { verb, access }] of Object.entries(webApi)) {
    const rate = rates.get(`${verb} /web/${name}`)
    assert.ok(rate, `${name} is not among the routes`)
    if (access.kind === 'anyone' && verb === 'POST')
      assert.deepEqual(rate, { scope: 'web attempt', perSecond: 5 }, name)
  }
  assert.deepEqual(rates.get('GET /web/events'), { scope: 'web GET', perSecond: 50 })
  assert.deepEqual(rates.get('GET /web/calls.csv'), { scope: 'web POST', perSecond: 10 })
  for (const page of ['/dashboard/*', '/assets/main.js', '/status.json', '/no/such/route'])
    assert.deepEqual(rates.get(`GET ${page}`), { scope: 'web page', perSecond: 300 }, page)
})

test('a route without a rate limit is found', async () => {
  const rates = await ratesOfRoutes((app) => {
    app.addHook('onRequest', async (request, reply) => {
      if (request.url === '/web/seeded') await reply.send('seeded')
    })
    app.get('/web/seeded', async () => 'seeded')
  })
  assert.deepEqual(unlimited(rates), ['GET /web/seeded'])
})

// No request gets past the limit, so nothing else is called.
function depsWith(limitRate: WebAppDeps['limitRate']): WebAppDeps {
  const file = { type: 'text/javascript', plain: Buffer.from(''), br: undefined, gz: undefined }
  const deps: Partial<WebAppDeps> = {
    limitRate,
    handlers: {} as WebAppDeps['handlers'],
    papers: {} as WebAppDeps['papers'],
    assets: { files: new Map([['/assets/main.js', file]]), index: '<html lang="en" data-theme="">' },
    publicUrl: 'https://ring.example.org',
    trustedProxies: [],
    stopping: new AbortController().signal,
    clock: createClock(1),
    log: createLog({ write: () => undefined }),
  }
  return deps as WebAppDeps
}
