// The role `web`: the dashboard, the console and their internal API. It shares the port of the role `api` if both run in one
// process; alone it listens itself. Beside the API the pages are loaded with the first request for one: a process that serves
// programs only does not pay for them.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { listenAlone } from '../http/listen.ts'
import { createWebServer, siteHeaders } from '../http/web-server.ts'
import type { Closing, RoleDatabases, ServerDeps } from './server-deps.ts'
import type { createWebPages, WebBus } from './web-pages.ts'

export type WebRole = Closing & { readonly listener: RequestListener; readonly load: () => Promise<unknown> }
type Pages = Awaited<ReturnType<typeof createWebPages>>

export async function createWebRole(
  deps: ServerDeps,
  databases: Pick<RoleDatabases, 'slots'>,
  bus: WebBus,
  version: string,
): Promise<WebRole> {
  let pages: Promise<Pages> | undefined
  const load = (): Promise<Pages> => {
    pages ??= import('./web-pages.ts').then((module) => module.createWebPages(deps, databases, bus, version))
    return pages
  }
  // The bot works whether somebody looks at a page or not.
  if (deps.config.telegramToken !== undefined) await load()
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { listener } = await load()
    listener(request, response)
  }
  return {
    load,
    listener: (request, response) => {
      serve(request, response).catch((error: unknown) => {
        // The next request tries again.
        pages = undefined
        deps.log.error({ err: error }, 'web pages not loaded')
        response.writeHead(503).end()
      })
    },
    close: async () => {
      const loaded = await pages?.catch(() => undefined)
      await loaded?.close()
    },
  }
}

// In a process without the API.
export async function serveWebAlone(role: WebRole, { config, clock }: ServerDeps): Promise<Closing> {
  await role.load()
  return listenAlone(createWebServer(clock, siteHeaders(config.publicUrl), role.listener), config, clock)
}
