// The built pages, read into memory at start: a path is looked up in a table, so that no request reaches the disk.
// index.html is the same for everybody but for the language and theme of the visitor, which the server writes into <html>.

import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Language } from '@ringproof/contract/lists/people.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { valueIn } from './cookie.ts'

type File = {
  readonly type: string
  readonly plain: Buffer
  readonly br: Buffer | undefined
  readonly gz: Buffer | undefined
}

export type Assets = {
  // By path, such as /assets/main-1a2b3c.js.
  readonly files: ReadonlyMap<string, File>
  readonly index: string | undefined
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
}

const policy = [
  `default-src 'none'`,
  ...['script', 'style', 'img', 'font', 'connect', 'media', 'manifest'].map((kind) => `${kind}-src 'self'`),
  `base-uri 'none'`,
  `form-action 'self'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
  `trusted-types 'none'`,
].join('; ')

// Nothing if the pages were not built: then the server says so instead of showing them.
export function readAssets(dir: string): Assets {
  const names = listFiles(dir)
  const read = (name: string) => (names.includes(name) ? readFileSync(join(dir, name)) : undefined)
  const files = new Map<string, File>()
  for (const name of names) {
    const type = types[extname(name)]
    if (type === undefined) continue
    files.set(`/${name}`, {
      type,
      plain: readFileSync(join(dir, name)),
      br: read(`${name}.br`),
      gz: read(`${name}.gz`),
    })
  }
  return { files, index: read('index.html')?.toString() }
}

function listFiles(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  } catch {
    return []
  }
}

export function addPages(app: FastifyInstance, assets: Assets): void {
  app.get('/', async (_, reply) => reply.redirect('/dashboard'))
  for (const url of ['/dashboard', '/dashboard/*', '/console', '/console/*']) {
    app.get(url, async (request, reply) => sendPage(assets, request, reply))
  }
  for (const [path, file] of assets.files) app.get(path, async (request, reply) => sendFile(path, file, request, reply))
}

function sendPage({ index }: Assets, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('content-security-policy', policy).header('cache-control', 'no-cache')
  // No search engine is to list a page.
  reply
    .header('x-robots-tag', 'noindex')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('vary', 'cookie, accept-language')
  if (index === undefined)
    return reply
      .code(503)
      .type('text/plain; charset=utf-8')
      .send('The web pages are not built. Run: npm run build:web\n')
  const theme = valueIn(headers.cookie, 'theme')
  const shownTheme = theme === 'light' || theme === 'dark' ? theme : ''
  const html = `<html lang="${languageOf(headers)}" data-theme="${shownTheme}">`
  return reply.type('text/html; charset=utf-8').send(index.replace('<html lang="en" data-theme="">', html))
}

export function languageOf({ cookie, 'accept-language': accepted = '' }: FastifyRequest['headers']): Language {
  const chosen = valueIn(cookie, 'lang')
  if (chosen === 'en' || chosen === 'ru') return chosen
  return /^\s*ru\b/i.test(accepted) ? 'ru' : 'en'
}

// The name of a built file contains its digest, so it never changes.
function sendFile(path: string, file: File, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const accepted = headers['accept-encoding'] ?? ''
  const isHashed = path.startsWith('/assets/')
  reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  reply.header('vary', 'accept-encoding').type(file.type)
  if (file.br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.br)
  if (file.gz && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gz)
  return reply.send(file.plain)
}
