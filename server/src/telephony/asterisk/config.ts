// Renders the configuration of one Asterisk node from the templates in deploy/asterisk/, links its prompts and creates the
// directories it writes to. Production, the development stack and the tests use the same code.
//
// A template line is written once per value of its setting, and not at all if the setting is empty.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Transport } from '../../domain/trunks/trunk.ts'
import { UsageError } from '../../process/errors.ts'
import { hepKey } from '../sip/hep.ts'

export type AsteriskConfig = {
  // Holds all files of the node.
  readonly directory: string
  // Where Asterisk itself is installed: /usr, or the usr of an unpacked tree.
  readonly programs: string
  // Name of the node and of its ARI application.
  readonly node: string
  readonly ariHost: string
  readonly ariPort: number
  // Certificate and key files; if set, ARI is served over TLS only.
  readonly ariTls?: { readonly certFile: string; readonly keyFile: string } | undefined
  readonly ariUser: string
  readonly ariPassword: string
  readonly sipHost: string
  readonly sipPort: number
  readonly sipTlsPort: number
  readonly sipTransports: readonly Transport[]
  // Loopback port to which Asterisk sends copies of SIP messages.
  readonly hepPort: number
  // Our address as carriers see it, behind NAT.
  readonly publicAddress: string | undefined
  readonly localNetworks: readonly string[]
  readonly rtpPorts: { readonly first: number; readonly last: number }
  readonly caFile: string | undefined
  // Directory of recorded Kazakh prompts (digits/0.wav and so on). Without it Kazakh calls use the Russian prompts.
  readonly kazakhPrompts: string | undefined
}

const templatesDirectory = new URL('../../../../deploy/asterisk/', import.meta.url)
const ownFolders = ['etc', 'data/sounds', 'db', 'keys', 'agi', 'spool', 'run', 'log']

// Returns the path of the asterisk.conf to start Asterisk with.
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
        if (!known) throw new RangeError(`${file} uses {{${name}}}, which is not a known setting`)
        return known
      })
      if (others.some((other) => other.length !== 1 && other !== counted)) {
        throw new RangeError(`${file} has a line with two multi-value settings`)
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

// A line break would start another setting, a semicolon a comment.
function safe(name: string, value: string): string {
  if (/[\r\n;]|^\s|\s$/.test(value))
    throw new UsageError(
      `${name} cannot be written to an Asterisk configuration: remove line breaks, semicolons and outer spaces`,
    )
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
    ['hepKey', [hepKey(config.ariPassword, 'asterisk')]],
    ['publicAddress', config.publicAddress === undefined ? [] : [config.publicAddress]],
    ['localNetwork', config.localNetworks],
    ['rtpFirst', [String(config.rtpPorts.first)]],
    ['rtpLast', [String(config.rtpPorts.last)]],
    ['caFile', config.caFile === undefined ? [] : [config.caFile]],
  ])
}

// The modules that a node loads.
export function neededModules(): readonly string[] {
  const text = readFileSync(new URL('modules.conf', templatesDirectory), 'utf8')
  return [...text.matchAll(/^load = (\S+)$/gm)].map(([, name = '']) => name)
}

// Debian keeps the modules in a directory named after the architecture.
export function modulesDirectory(programs: string): string {
  const kinds = listed(join(programs, 'lib')).map((kind) => join(programs, 'lib', kind, 'asterisk/modules'))
  const found = kinds.find((path) => existsSync(path))
  if (found === undefined) throw new UsageError(`No Asterisk modules found below ${programs}`)
  return found
}

// Asterisk looks up prompts by language; Debian names the directories after the speaker.
function linkPrompts({ directory, programs, kazakhPrompts }: AsteriskConfig): void {
  const share = join(programs, 'share/asterisk')
  const spoken = listed(join(share, 'sounds'))
  const folderOf = (language: string) => {
    const folder = spoken.find((name) => name === language || name.startsWith(`${language}_`))
    if (folder === undefined) throw new UsageError(`No ${language} prompts found in ${share}/sounds`)
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
