// Metrics of what is kept in files: the numbering registry, backups and certificates. All are times, so that an alert computes the age.

import { Gauge, type Registry } from 'prom-client'

export type FileEvents = {
  // When the publisher of the numbering registry was last checked without an error; undefined for never.
  readonly registryChecked: (atMs: number | undefined) => void
  // The end of the newest backup of a stanza; undefined if there is none.
  readonly backupSeen: (stanza: string, endedMs: number | undefined) => void
  // Read at every scrape.
  readonly watchNumbering: (read: () => NumberingFigures) => void
  readonly watchCertificates: (read: () => readonly CertificateExpiry[]) => void
}

type NumberingFigures = {
  readonly importedAtMs: number | undefined
  readonly registries: readonly { readonly registry: string; readonly ranges: number }[]
}

export type CertificateExpiry = { readonly setting: string; readonly expiresMs: number | undefined }

export function fileEvents(registry: Registry): FileEvents {
  return { ...numberingGauges(registry), ...backupGauges(registry), ...certificateGauges(registry) }
}

function numberingGauges(registry: Registry): Pick<FileEvents, 'registryChecked' | 'watchNumbering'> {
  const checked = new Gauge({
    name: 'ringproof_registry_checked_timestamp_seconds',
    help: 'When the keeper last checked the numbering registry without an error; 0 for never. Only where it is fetched.',
    registers: [registry],
  })
  // A gauge without labels would be 0 in processes that do not fetch.
  checked.remove()
  let read: () => NumberingFigures = () => ({ importedAtMs: undefined, registries: [] })
  const imported: Gauge = new Gauge({
    name: 'ringproof_registry_imported_timestamp_seconds',
    help: 'When the numbering data in use was imported. Only with numbering data.',
    registers: [registry],
    collect: () => {
      const { importedAtMs } = read()
      if (importedAtMs === undefined) imported.remove()
      else imported.set(importedAtMs / 1_000)
    },
  })
  const ranges: Gauge<'registry'> = new Gauge({
    name: 'ringproof_registry_ranges',
    help: 'Number ranges in use, by part of the registry.',
    labelNames: ['registry'],
    registers: [registry],
    collect: () => {
      ranges.reset()
      for (const one of read().registries) ranges.set({ registry: one.registry }, one.ranges)
    },
  })
  return {
    registryChecked: (atMs) => checked.set((atMs ?? 0) / 1_000),
    watchNumbering: (readNow) => {
      read = readNow
    },
  }
}

function backupGauges(registry: Registry): Pick<FileEvents, 'backupSeen'> {
  const newest = new Gauge({
    name: 'ringproof_backup_last_success_timestamp_seconds',
    help: 'When the newest backup of a pgBackRest stanza ended; 0 for none. Keepers with RINGPROOF_BACKUP_STANZAS read it every 10 minutes.',
    labelNames: ['stanza'],
    registers: [registry],
  })
  return { backupSeen: (stanza, endedMs) => newest.set({ stanza }, (endedMs ?? 0) / 1_000) }
}

function certificateGauges(registry: Registry): Pick<FileEvents, 'watchCertificates'> {
  let read: () => readonly CertificateExpiry[] = () => []
  const expiry: Gauge<'setting'> = new Gauge({
    name: 'ringproof_certificate_expiry_timestamp_seconds',
    help: 'When the certificate that a setting names expires; 0 if it cannot be read.',
    labelNames: ['setting'],
    registers: [registry],
    collect: () => {
      expiry.reset()
      for (const { setting, expiresMs } of read()) expiry.set({ setting }, (expiresMs ?? 0) / 1_000)
    },
  })
  return {
    watchCertificates: (readNow) => {
      read = readNow
    },
  }
}
