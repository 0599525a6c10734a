// Reads files and disks of this machine, and lists backups, for `ringproof doctor` and for the metrics.

import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { promisify } from 'node:util'
import { parametersOf } from '../domain/core/database-address.ts'
import { type CertificateFile, type Disk, expiryOf, type SecretsFacts } from '../domain/installation/files-check.ts'
import { wallMs } from './clock.ts'
import type { Config } from './config/config.ts'
import type { CertificateExpiry } from './metrics/files.ts'
import { examineSecrets, keysDue, readFoundSecrets } from './secrets.ts'

export function readSecretsFacts(config: Config): SecretsFacts {
  const { secretsDir: dir, verificationDays, natsCredsFile, ariKeyFile } = config
  const { readable, mistakes } = examineSecrets(dir)
  const isWhole = mistakes.length === 0
  const privateFiles = [natsCredsFile, ariKeyFile, ...databaseFiles(config, 'sslkey')].filter(
    (path) => path !== undefined,
  )
  return {
    dir,
    rings: readFoundSecrets(dir),
    readable,
    mistakes,
    due: isWhole ? keysDue(dir, verificationDays, wallMs()).map(({ ring }) => ring) : [],
    readableOthers: privateFiles.filter(
      (path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
    ),
  }
}

// A CA that is only used with TLS counts only with TLS.
export function readCertificates(config: Config): readonly CertificateFile[] {
  const named = [
    ...databaseFiles(config, 'sslrootcert').map((path) => ['RINGPROOF_DATABASE_CA_FILE', path, 'authority'] as const),
    ...databaseFiles(config, 'sslcert').map((path) => ['RINGPROOF_DATABASE_URL', path, 'chain'] as const),
    ['RINGPROOF_NATS_CA_FILE', config.natsCaFile, 'authority'] as const,
    ['RINGPROOF_ARI_CA_FILE', config.ariCaFile, 'authority'] as const,
    ['RINGPROOF_ARI_CERT_FILE', config.ariCertFile, 'chain'] as const,
    ['RINGPROOF_REGISTRY_CA_FILE', config.registryCaFile, 'authority'] as const,
    [
      'RINGPROOF_SIP_CA_FILE',
      config.sipTransports.includes('tls') ? config.sipCaFile : undefined,
      'authority',
    ] as const,
  ]
  return named.flatMap(([setting, path, kind]) =>
    path === undefined ? [] : [{ setting, path, kind, text: textOf(path) }],
  )
}

// The first certificate to expire of each setting.
export function readCertificateExpiries(config: Config): readonly CertificateExpiry[] {
  const expiries = readCertificates(config).map((file) => ({ setting: file.setting, expiresMs: expiryOf(file) }))
  return expiries.toSorted((a, b) => (b.expiresMs ?? 0) - (a.expiresMs ?? 0))
}

// One per disk, named after the first directory on it.
export async function readDisks({ secretsDir, numberingDir, mailUrl, mailDir }: Config): Promise<readonly Disk[]> {
  const paths = [secretsDir, numberingDir, mailUrl === undefined ? mailDir : '']
  const byDevice = new Map<number, string>()
  for (const path of paths) {
    const device = path === '' ? undefined : statSync(path, { throwIfNoEntry: false })?.dev
    if (device !== undefined && !byDevice.has(device)) byDevice.set(device, path)
  }
  return Promise.all(
    [...byDevice.values()].map(async (path) => {
      const { bavail, blocks, bsize } = await statfs(path)
      return { path, freeBytes: bavail * bsize, totalBytes: blocks * bsize }
    }),
  )
}

// As `pgbackrest info --output=json` prints it.
export async function readBackups(stanza: string, signal: AbortSignal): Promise<unknown> {
  const { stdout } = await promisify(execFile)('pgbackrest', [`--stanza=${stanza}`, '--output=json', 'info'], {
    signal,
  })
  return JSON.parse(stdout) as unknown
}

// Files that the database URLs name, each once. RINGPROOF_DATABASE_CA_FILE is part of them.
function databaseFiles({ slotUrls }: Config, parameter: 'sslrootcert' | 'sslcert' | 'sslkey'): readonly string[] {
  const paths = [...slotUrls.values()].flatMap((url) => parametersOf(url).get(parameter) ?? [])
  return [...new Set(paths)]
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
