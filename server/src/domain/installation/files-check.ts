// Evaluates files of this machine: keys, certificates, disks.

import { X509Certificate } from 'node:crypto'
import type { KeyRing } from '../crypto/sealing.ts'
import { dayMs } from '../values/time.ts'
import { bad, type Finding, good, warning } from './finding.ts'
import { certificateWarningDays, diskFreeBad, diskFreeWarning } from './thresholds.ts'

export type SecretsFacts = {
  readonly dir: string
  // As far as they can be read.
  readonly rings: Readonly<Record<string, KeyRing>>
  // Files of key rings, and the directory itself, that others than the owner can read.
  readonly readable: readonly string[]
  // Other faults of the key rings, as sentences.
  readonly mistakes: readonly string[]
  // Rings whose active key is due for rotation.
  readonly due: readonly string[]
  // Private keys and credentials that other settings name, and that others can read.
  readonly readableOthers: readonly string[]
}

export type CertificateFile = {
  readonly setting: string
  readonly path: string
  // An authority file may keep an old certificate beside its successor; of a chain every certificate must be valid.
  readonly kind: 'authority' | 'chain'
  // Undefined if it cannot be read.
  readonly text: string | undefined
}

export type Disk = { readonly path: string; readonly freeBytes: number; readonly totalBytes: number }

// otherKeys: of databases that are written with others, why they are not these.
export function evaluateSecrets(
  facts: SecretsFacts,
  otherKeys: readonly string[],
  verificationDays: number,
): readonly Finding[] {
  const { dir, readable, mistakes, due, readableOthers } = facts
  const modes =
    readable.length > 0
      ? [
          bad(
            'secrets',
            dir,
            `Others than the owner can read ${readable.join(', ')}.`,
            `chmod 0700 ${dir} && chmod 0400 ${dir}/*.key`,
          ),
        ]
      : []
  const restore = `age --decrypt --identity identity.txt secrets.tar.age | tar -C ${dir} -x`
  const foreign = otherKeys.map((cause) => bad('secrets', dir, cause, restore))
  const faults =
    mistakes.length > 0 && foreign.length === 0
      ? [bad('secrets', dir, `The keys are not in order: ${mistakes.join('; ')}.`, 'ringproof setup')]
      : []
  const others = readableOthers.map((path) =>
    warning('secrets', path, 'Others than the owner can read this file.', `chmod 0400 ${path}`),
  )
  const found = [...modes, ...foreign, ...faults, ...others]
  const rotation = due.map((ring) =>
    warning(
      'key-rotation',
      ring,
      `The active key is older than ${verificationDays} days, so it decrypts more than is kept.`,
      `ringproof secrets add ${ring}`,
    ),
  )
  return [
    ...(found.length > 0
      ? found
      : [good('secrets', dir, 'All keys exist, belong to the databases, and only their owner can read them.')]),
    ...(rotation.length > 0 ? rotation : [good('key-rotation', '', 'No key is due for rotation.')]),
  ]
}

export function evaluateCertificate(file: CertificateFile, nowMs: number): Finding {
  const { setting, path } = file
  const fix = `install -m 0644 NEW.pem ${path} && systemctl try-restart 'ringproof*.service'`
  const endMs = expiryOf(file)
  if (endMs === undefined) {
    return bad('certificates', setting, `${path} holds no certificate that can be read.`, fix)
  }
  const day = new Date(endMs).toISOString().slice(0, 10)
  if (endMs <= nowMs) return bad('certificates', setting, `${path} expired on ${day}.`, fix)
  const cause = `${path} is valid until ${day}.`
  return endMs - nowMs < certificateWarningDays * dayMs
    ? warning('certificates', setting, cause, fix)
    : good('certificates', setting, cause)
}

// Undefined if it holds no certificate that can be read.
export function expiryOf({ kind, text }: Pick<CertificateFile, 'kind' | 'text'>): number | undefined {
  const ends = text === undefined ? undefined : expiriesIn(text)
  if (ends === undefined || ends.length === 0) return undefined
  return kind === 'authority' ? Math.max(...ends) : Math.min(...ends)
}

// Undefined if one of them cannot be parsed.
function expiriesIn(text: string): readonly number[] | undefined {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.map((block) => new X509Certificate(block).validToDate.getTime())
  } catch {
    return undefined
  }
}

export function evaluateDisk({ path, freeBytes, totalBytes }: Disk): Finding {
  const share = freeBytes / totalBytes
  const cause = `${Math.floor(share * 100)} % of the disk is free.`
  const fix = `du -xh ${path} | sort -h | tail, then delete what is not needed`
  if (share < diskFreeBad) return bad('disk', path, cause, fix)
  return share < diskFreeWarning ? warning('disk', path, cause, fix) : good('disk', path, cause)
}
