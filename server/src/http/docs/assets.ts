// Style, script, icon and fonts. The URL of an asset contains the digest of its content, so browsers may keep it for ever.

import { createHash } from 'node:crypto'
import type { Frame } from './layout.ts'

export type Asset = { readonly type: string; readonly body: Buffer }

type Assets = {
  readonly byUrl: ReadonlyMap<string, Asset>
  readonly urls: Pick<Frame, 'style' | 'script' | 'icon' | 'fonts'>
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

export function assetsOf(files: ReadonlyMap<string, Buffer>): Assets {
  const byUrl = new Map<string, Asset>()
  const add = (name: string, body = fileOf(files, name)): string => {
    const digest = createHash('sha256').update(body).digest('hex').slice(0, 12)
    const url = `/docs/assets/${name.replace(/^\w+\//, '').replace(/(\.\w+)$/, `-${digest}$1`)}`
    byUrl.set(url, { type: types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream', body })
    return url
  }
  // The style names the fonts by their files.
  const style = ['look/tokens.css', 'look/base.css', 'docs/docs.css']
    .map((name) => fileOf(files, name).toString('utf8'))
    .join('\n')
    .replaceAll(/url\((fonts\/[\w.-]+)\)/g, (_, name: string) => `url(${add(`look/${name}`)})`)
  const latin = add('look/fonts/onest-latin.woff2')
  const cyrillic = add('look/fonts/onest-cyrillic.woff2')
  return {
    byUrl,
    urls: {
      style: add('docs/docs.css', Buffer.from(style)),
      script: add('docs/docs.js'),
      icon: add('docs/mark.svg'),
      fonts: { en: [latin], ru: [latin, cyrillic] },
    },
  }
}

function fileOf(files: ReadonlyMap<string, Buffer>, name: string): Buffer {
  const file = files.get(name)
  if (!file) throw new Error(`server/assets has no ${name}`)
  return file
}
