// Examines every server, trunk and file of an installation. It changes nothing. All checks run at once and each has a time
// limit, so the whole takes less than ten seconds; a check that cannot run is one bad finding.

import { type Database, hostsOfDatabase, nameOf } from '../../db/core/database.ts'
import { lostInPooler } from '../../db/core/pooler.ts'
import { readServerFacts } from '../../db/core/server-facts.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readCurrency } from '../../db/installation/installation.ts'
import { keyFaultCause } from '../../domain/crypto/key-check.ts'
import { unknownBackup } from '../../domain/installation/backup.ts'
import { checkNames } from '../../domain/installation/checks.ts'
import { evaluateCurrency } from '../../domain/installation/currency.ts'
import { evaluateDatabase, evaluatePooler, unreachableDatabase } from '../../domain/installation/database-check.ts'
import {
  evaluateProxy,
  isLoopback,
  reachableBot,
  reachableMail,
  unreachableBot,
  unreachableMail,
  unsentMail,
} from '../../domain/installation/edge-check.ts'
import {
  type CertificateFile,
  type Disk,
  evaluateCertificate,
  evaluateDisk,
  evaluateSecrets,
  type SecretsFacts,
} from '../../domain/installation/files-check.ts'
import { bad, type Finding, good, reasonOf, warning } from '../../domain/installation/finding.ts'
import { evaluateRegistry, unreadableRegistry } from '../../domain/installation/numbers-check.ts'
import {
  evaluateNats,
  evaluateNatsStorage,
  evaluateNatsTls,
  type NatsFacts,
  type NatsStorage,
  unmonitoredNats,
  unreachableMonitor,
  unreachableNats,
} from '../../domain/installation/queue-check.ts'
import { checkMsMax } from '../../domain/installation/thresholds.ts'
import type { NumberingStatus } from '../../domain/numbers/numbering-report.ts'
import { type Clock, withTimeLimit } from '../../process/clock.ts'
import type { Config } from '../../process/config/config.ts'
import { examineTelephony, type TelephonyProbes } from './examine-telephony.ts'
import { examineKeys } from './keys.ts'
import { listBackups } from './restores.ts'

// What only the layers around can do. Each rejects with the reason.
export type InstallationProbes = TelephonyProbes & {
  readonly nats: (signal: AbortSignal) => Promise<NatsFacts>
  readonly natsStorage: (monitorUrl: string, signal: AbortSignal) => Promise<NatsStorage>
  readonly numbering: () => Promise<NumberingStatus>
  readonly secrets: () => SecretsFacts
  readonly certificates: () => readonly CertificateFile[]
  readonly disks: () => Promise<readonly Disk[]>
  readonly backups: (stanza: string, signal: AbortSignal) => Promise<unknown>
  readonly mail: (url: string) => Promise<void>
  // Returns the name of the bot.
  readonly telegram: (token: string, signal: AbortSignal) => Promise<string>
}

type Deps = {
  readonly config: Config
  readonly slots: SlotMap
  // Real time, whatever the time scale.
  readonly clock: Clock
  readonly probes: InstallationProbes
}

const notifiedMs = 3_000

export async function examineInstallation(deps: Deps): Promise<readonly Finding[]> {
  const findings = await Promise.all([
    examineSettings(deps),
    ...deps.slots.databases.map((database) => examineDatabase(deps, database)),
    examineQueue(deps),
    examineQueueStorage(deps),
    examineTelephony(deps),
    examineRegistry(deps),
    examineFiles(deps),
    examineMail(deps),
    examineBot(deps),
    examineBackups(deps),
  ])
  return findings.flat().toSorted((a, b) => checkNames.indexOf(a.check) - checkNames.indexOf(b.check))
}

async function examineSettings({ config }: Deps): Promise<readonly Finding[]> {
  const fake = 'Calls are simulated and no phone rings: RINGPROOF_SWITCH is fake.'
  const settings =
    config.switch === 'fake'
      ? warning('settings', '', fake, 'RINGPROOF_SWITCH=asterisk')
      : good('settings', '', 'Every setting can be read.')
  const natsTls = config.natsUrls.length > 0 ? [evaluateNatsTls(config.natsUrls, isLoopback)] : []
  return [settings, evaluateProxy(config), ...natsTls]
}

async function examineDatabase({ clock, config }: Deps, database: Database): Promise<readonly Finding[]> {
  const subject = nameOf(database)
  return withTimeLimit(
    clock,
    checkMsMax,
    async () => {
      const lost = await lostInPooler(database, notifiedMs)
      const pooler = evaluatePooler(subject, hostsOfDatabase(database), lost)
      // Such a pooler accepts no connection of ours.
      if (lost === 'deadlines') return [pooler]
      const facts = await readServerFacts(database, clock)
      const currency = facts.isMigrated
        ? [evaluateCurrency(subject, await readCurrency(database), config.currency)]
        : []
      return [pooler, ...evaluateDatabase(subject, facts), ...currency]
    },
    (error) => [unreachableDatabase(subject, error)],
  )
}

async function examineQueue({ config, probes, clock }: Deps): Promise<readonly Finding[]> {
  const { natsUrls } = config
  if (natsUrls.length === 0) {
    const cause = 'There is no call queue, so no call starts: RINGPROOF_NATS_URL is empty.'
    return [bad('nats', '', cause, 'RINGPROOF_NATS_URL=nats://USER:PASSWORD@127.0.0.1:4222')]
  }
  const subject = natsUrls.map((url) => new URL(url).host).join(',')
  return withTimeLimit(
    clock,
    checkMsMax,
    async (signal) => evaluateNats(subject, await probes.nats(signal)),
    (error) => [unreachableNats(subject, error)],
  )
}

async function examineQueueStorage({ config, probes, clock }: Deps): Promise<readonly Finding[]> {
  const { natsUrls, natsMonitorUrls } = config
  if (natsUrls.length === 0) return []
  if (natsMonitorUrls.length === 0) return [unmonitoredNats]
  const findings = natsMonitorUrls.map((url) => {
    const subject = new URL(url).host
    return withTimeLimit(
      clock,
      checkMsMax,
      async (signal) => [evaluateNatsStorage(subject, await probes.natsStorage(url, signal))],
      (error) => [unreachableMonitor(subject, error)],
    )
  })
  return (await Promise.all(findings)).flat()
}

async function examineRegistry({ config, probes, clock }: Deps): Promise<readonly Finding[]> {
  const { numberingDir: dir, registryUrl: url } = config
  const evaluate = (status?: NumberingStatus) => [evaluateRegistry({ dir, url }, status, clock.timeOfDayMs())]
  if (dir === '') return evaluate()
  return withTimeLimit(
    clock,
    checkMsMax,
    async () => evaluate(await probes.numbering()),
    (error) => [unreadableRegistry(error)],
  )
}

async function examineFiles({ config, slots, probes, clock }: Deps): Promise<readonly Finding[]> {
  const { secretsDir, verificationDays } = config
  const groups = await Promise.all([
    withTimeLimit(
      clock,
      checkMsMax,
      async () => {
        const facts = probes.secrets()
        return evaluateSecrets(facts, await findOtherKeys(slots, facts), verificationDays)
      },
      (error) => [bad('secrets', secretsDir, `The directory cannot be read: ${reasonOf(error)}.`, 'ringproof setup')],
    ),
    withTimeLimit(
      clock,
      checkMsMax,
      async () => (await probes.disks()).map(evaluateDisk),
      (error) => [bad('disk', '', `The free space cannot be read: ${reasonOf(error)}.`, 'df -h')],
    ),
  ])
  const certificates = probes.certificates().map((file) => evaluateCertificate(file, clock.timeOfDayMs()))
  return [...groups.flat(), ...certificates]
}

// A database that does not answer has a finding already.
async function findOtherKeys({ databases }: SlotMap, { dir, rings }: SecretsFacts): Promise<readonly string[]> {
  const causes = databases.map(async (database) => {
    const { faults } = await examineKeys(database, rings).catch(() => ({ faults: [] }))
    return faults.length === 0 ? [] : [`${keyFaultCause(dir, nameOf(database), faults)}.`]
  })
  return (await Promise.all(causes)).flat()
}

async function examineMail({ config, probes, clock }: Deps): Promise<readonly Finding[]> {
  const { mailUrl, mailFrom, mailDir } = config
  if (mailUrl === undefined) return [unsentMail(mailDir)]
  const { host } = new URL(mailUrl)
  return withTimeLimit(
    clock,
    checkMsMax,
    async () => {
      await probes.mail(mailUrl)
      return [reachableMail(host, mailFrom)]
    },
    (error) => [unreachableMail(host, error)],
  )
}

async function examineBot({ config, probes, clock }: Deps): Promise<readonly Finding[]> {
  const { telegramToken } = config
  if (telegramToken === undefined) return []
  return withTimeLimit(
    clock,
    checkMsMax,
    async (signal) => [reachableBot(await probes.telegram(telegramToken, signal))],
    (error) => [unreachableBot(error)],
  )
}

async function examineBackups(deps: Deps): Promise<readonly Finding[]> {
  if (deps.config.backupStanzas.length === 0) return [unknownBackup]
  return (await listBackups(deps)).map(({ finding }) => finding)
}
