// Everything below /docs and beside it, by URL: pages in the language of their path or of the browser, texts, and assets that
// browsers may keep for ever.

import { createHash } from 'node:crypto'
import { languages } from '@ringproof/contract/lists/people.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from '../language.ts'
import type { DocsSite } from './site.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export type DocsRoutes = ReadonlyMap<string, Handler>

// Nothing inline, nothing from other hosts, and no script that writes HTML.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

// `texts` are plain pages by URL, `documents` those of OpenAPI.
export function docsRoutes(
  { pages, assets, searchIndex }: DocsSite,
  texts: ReadonlyMap<string, string>,
  documents: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): DocsRoutes {
  const routes = new Map<string, Handler>()
  for (const [path, { en, ru }] of pages) {
    if (en) routes.set(`/docs/en${path}`, async (request, reply) => send(request, reply, html, en()))
    if (ru) routes.set(`/docs/ru${path}`, async (request, reply) => send(request, reply, html, ru()))
    routes.set(`/docs${path}`, async (request, reply) => {
      const preferred = languageOf(request.headers['accept-language']) === 'ru' ? (ru ?? en) : (en ?? ru)
      return send(request, reply.header('vary', 'accept-language'), html, preferred?.() ?? '')
    })
  }
  for (const language of languages) {
    const index = searchIndex[language]
    routes.set(`/docs/search-${language}.json`, async (request, reply) => send(request, reply, json, index()))
  }
  for (const [url, document] of documents) {
    const text = JSON.stringify(document)
    routes.set(url, async (request, reply) => send(request, reply, json, text))
  }
  for (const [url, text] of texts) {
    const type = url.endsWith('.md') ? 'text/markdown; charset=utf-8' : 'text/plain; charset=utf-8'
    routes.set(url, async (request, reply) => send(request, reply, type, text))
  }
  for (const [url, { type, body }] of assets) {
    routes.set(url, async (_, reply) =>
      reply.header('cache-control', 'public, max-age=31536000, immutable').type(type).send(body),
    )
  }
  return routes
}

const html = 'text/html; charset=utf-8'
const json = 'application/json; charset=utf-8'

// A browser keeps a page and asks each time whether it has changed.
async function send(request: FastifyRequest, reply: FastifyReply, type: string, text: string): Promise<FastifyReply> {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply.header('content-security-policy', policy).header('cache-control', 'no-cache').header('etag', tag).type(type)
  return request.headers['if-none-match'] === tag ? reply.status(304).send() : reply.send(text)
}
