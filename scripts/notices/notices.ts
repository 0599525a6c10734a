// The licences of everything that we ship and others wrote, as text: for the program, and for its web pages.

import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type License, licenseOf } from './license.ts'

const fonts = join(import.meta.dirname, '../../server/assets/look/fonts')

/** For images and packages: what npm installed in a directory, and the notices of the web pages. */
export function programNotices(directory: string, pages: string): string {
  return `Third-party notices of Ringproof

Ringproof itself is licensed under the Apache License 2.0; see LICENSE. It contains the software below.

An image also contains packages of Debian. /var/lib/dpkg/status.d lists them, /usr/share/doc/PACKAGE/copyright has the
terms of each, and /usr/share/common-licenses the texts that these refer to. Debian has their sources: apt-get source
PACKAGE=VERSION, and for older versions its snapshot archive.

${section('Node and the packages of the server', installedLicenses(directory))}

${pages}`
}

/** For the web pages: the packages in the bundle, and the fonts. */
export function pageNotices(packages: readonly License[]): string {
  return `${section('Packages in the web pages', packages)}

${section('Fonts of the web pages and of /docs', fontLicenses())}
`
}

// By npm's own list. Node is the same for every architecture.
function installedLicenses(directory: string): readonly License[] {
  const list = readFileSync(join(directory, 'node_modules/.package-lock.json'), 'utf8')
  const { packages } = JSON.parse(list) as { packages: Record<string, { link?: boolean }> }
  const paths = Object.keys(packages).filter((path) => path.includes('node_modules/') && packages[path]?.link !== true)
  return paths.map((path) => {
    const license = licenseOf(join(directory, path))
    return { ...license, name: license.name.replace(/^node-linux-.*/, 'Node.js') }
  })
}

function fontLicenses(): readonly License[] {
  const files = globSync('*-OFL.txt', { cwd: fonts }).toSorted()
  return files.map((file) => ({
    name: basename(file, '-OFL.txt'),
    version: '',
    expression: 'OFL-1.1',
    text: readFileSync(join(fonts, file), 'utf8').trim(),
  }))
}

// A text that several packages share is written once.
function section(title: string, licenses: readonly License[]): string {
  const byText = Map.groupBy(licenses, ({ text }) => text.replaceAll('\r\n', '\n'))
  const parts = [...byText].map(([text, same]) => {
    const names = same.map(({ name, version, expression }) => `${[name, version].join(' ').trim()} (${expression})`)
    return `${[...new Set(names)].toSorted().join('\n')}\n\n${text}`
  })
  const line = '-'.repeat(80)
  return [`${'='.repeat(80)}\n${title}\n${'='.repeat(80)}`, ...parts.toSorted()].join(`\n\n${line}\n\n`)
}
