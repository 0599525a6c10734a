// Lays out one Asterisk node: its configuration, rendered from the templates in deploy/asterisk/, its prompts, and the
// folders that it writes to. The same for production, the development stack and the tests.
//
// A line of a template is written once for each value of its setting: not at all where the setting is empty.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Transport } from '../domain/trunks/trunk.ts'
import { UsageError } from '../errors.ts'
import { hepKey } from './hep.ts'

export type AsteriskConfig = {
  // Everything of the node lies below it.
  readonly directory: string
  // Where Asterisk itself is installed: /usr, or the usr of an unpacked tree.
  readonly programs: string
  // Name of the node, and of its ARI application.
  readonly node: string
  readonly ariHost: string
  readonly ariPort: number
  // ARI over TLS, and not in clear: the files of its certificate and key.
  readonly ariTls?: { readonly certFile: string; readonly keyFile: string } | undefined
  readonly ariUser: string
  readonly ariPassword: string
  readonly sipHost: string
  readonly sipPort: number
  readonly sipTlsPort: number
  readonly sipTransports: readonly Transport[]
  // Where Asterisk sends copies of SIP messages, at loopback.
  readonly hepPort: number
  // How carriers see us from outside, where that is not how we see ourselves.
  readonly publicAddress: string | undefined
  readonly localNetworks: readonly string[]
  readonly rtpPorts: { readonly first: number; readonly last: number }
  readonly caFile: string | undefined
  // A folder of recorded Kazakh prompts, digits/0.wav and so on. Without it Kazakhstan hears Russian.
  readonly kazakhPrompts: string | undefined
}

const templatesDirectory = new URL('../../../deploy/asterisk/', import.meta.url)
const ownFolders = ['etc', 'data/sounds', 'db', 'keys', 'agi', 'spool', 'run', 'log']

// Gives the file that Asterisk is started with.
export function renderAsteriskConfig(config: AsteriskConfig): string {
  for (const folder of ownFolders) mkdirSync(join(config.directory, folder), { recursive: true, mode: 0o700 })
  const values = valuesOf(config)
  for (const file of readdirSync(templatesDirectory)) {
    const text = renderTemplate(file, readFileSync(new URL(file, templatesDirectory), 'utf8'), values)
    writeFileSync(join(config.directory, 'etc', file), text, { mode: 0o600 })
  }
  linkPrompts(config)
  return join(config.directory, 'etc', 'asterisk.conf')
}

export function renderTemplate(file: string, text: string, values: ReadonlyMap<string, readonly string[]>): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith(';')) return [line]
      const names = [...line.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)
      const [counted = [''], ...others] = names.map((name) => {
        const known = values.get(name)
        if (!known) throw new RangeError(`${file} asks for ${name}, which is no setting`)
        return known
      })
      if (others.some((other) => other.length !== 1 && other !== counted)) {
        throw new RangeError(`${file} has a line with two settings of several values`)
      }
      return counted.map((_, index) =>
        line.replaceAll(/\{\{(\w+)\}\}/g, (_match, name: string) => {
          const all = values.get(name) ?? []
          return safe(name, all[index] ?? all[0] ?? '')
        }),
      )
    })
    .join('\n')
}

// A line end would begin another setting, a semicolon a comment.
function safe(name: string, value: string): string {
  if (/[\r\n;]|^\s|\s$/.test(value)) throw new UsageError(`${name} cannot stand in a configuration of Asterisk`)
  return value
}

function valuesOf(config: AsteriskConfig): ReadonlyMap<string, readonly string[]> {
  return new Map<string, readonly string[]>([
    ['directory', [config.directory]],
    ['modules', [modulesDirectory(config.programs)]],
    ['node', [config.node]],
    ['ariPlainHost', config.ariTls ? [] : [config.ariHost]],
    ['ariPlainPort', config.ariTls ? [] : [String(config.ariPort)]],
    ['ariTls', config.ariTls ? ['yes'] : []],
    ['ariTlsAddress', config.ariTls ? [`${config.ariHost}:${config.ariPort}`] : []],
    ['ariCertFile', config.ariTls ? [config.ariTls.certFile] : []],
    ['ariKeyFile', config.ariTls ? [config.ariTls.keyFile] : []],
    ['ariUser', [config.ariUser]],
    ['ariPassword', [config.ariPassword]],
    ['sipHost', [config.sipHost]],
    ['sipPort', [String(config.sipPort)]],
    ['sipTlsPort', [String(config.sipTlsPort)]],
    ['sipTransport', config.sipTransports],
    ['sipTransports', [config.sipTransports.join('+')]],
    ['hepPort', [String(config.hepPort)]],
    ['hepKey', [hepKey(config.ariPassword)]],
    ['publicAddress', config.publicAddress === undefined ? [] : [config.publicAddress]],
    ['localNetwork', config.localNetworks],
    ['rtpFirst', [String(config.rtpPorts.first)]],
    ['rtpLast', [String(config.rtpPorts.last)]],
    ['caFile', config.caFile === undefined ? [] : [config.caFile]],
  ])
}

// Debian keeps modules below the name of the machine's kind.
export function modulesDirectory(programs: string): string {
  const kinds = listed(join(programs, 'lib')).map((kind) => join(programs, 'lib', kind, 'asterisk/modules'))
  const found = kinds.find((path) => existsSync(path))
  if (found === undefined) throw new UsageError(`there is no Asterisk below ${programs}`)
  return found
}

// Asterisk looks for prompts by their language. Debian's folders are named after the speaker.
function linkPrompts({ directory, programs, kazakhPrompts }: AsteriskConfig): void {
  const share = join(programs, 'share/asterisk')
  const spoken = listed(join(share, 'sounds'))
  const folderOf = (language: string) => {
    const folder = spoken.find((name) => name === language || name.startsWith(`${language}_`))
    if (folder === undefined) throw new UsageError(`there are no prompts for ${language} below ${share}/sounds`)
    return join(share, 'sounds', folder)
  }
  const links = [
    [folderOf('en'), 'sounds/en'],
    [folderOf('ru'), 'sounds/ru'],
    [kazakhPrompts ?? folderOf('ru'), 'sounds/kk'],
    [join(share, 'documentation'), 'documentation'],
    [join(share, 'rest-api'), 'rest-api'],
  ] as const
  for (const [target, name] of links) {
    const path = join(directory, 'data', name)
    rmSync(path, { force: true })
    symlinkSync(target, path)
  }
}

function listed(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory).map((entry) => basename(entry)) : []
}
