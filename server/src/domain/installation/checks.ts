// Every check of `ringproof doctor`, in the order of its output. docs/operations/doctor.md has the same table.

import {
  asteriskVersionMin,
  kamailioVersionMin,
  kamailioVersionsBad,
  natsVersionMin,
  postgresMajorMin,
} from './schema-version.ts'
import {
  backupBadDays,
  backupWarningDays,
  certificateWarningDays,
  clockOffsetMsBad,
  clockOffsetMsMax,
  diskFreeBad,
  diskFreeWarning,
  registryBadDays,
  registryWarningDays,
} from './thresholds.ts'

export type Check = { readonly examines: string; readonly warns: string; readonly fails: string }

const never = '–'

export const checks = {
  settings: {
    examines: 'every setting',
    warns: 'calls are simulated (`RINGPROOF_SWITCH=fake`)',
    fails: 'a setting cannot be read; then nothing else is examined',
  },
  database: {
    examines: 'each database',
    warns: never,
    fails: `no connection, older than PostgreSQL ${postgresMajorMin}, or a standby`,
  },
  pooler: { examines: 'what is between us and PostgreSQL', warns: never, fails: 'a pooler in transaction mode' },
  migrations: { examines: 'the schema', warns: never, fails: 'older than the program' },
  currency: {
    examines: '`RINGPROOF_CURRENCY`',
    warns: never,
    fails: 'the amounts in a database are in another currency',
  },
  durability: {
    examines: '`fsync`, `full_page_writes`, `synchronous_commit`',
    warns: never,
    fails: 'one of them is off',
  },
  'statement-log': { examines: 'what PostgreSQL logs', warns: 'statement parameters', fails: never },
  replication: {
    examines: 'standby servers',
    warns: 'none, or commits do not wait for one',
    fails: 'commits wait for one, and none is connected',
  },
  clock: {
    examines: "PostgreSQL's clock against this machine's",
    warns: `more than ${clockOffsetMsMax / 1_000} s apart`,
    fails: `more than ${clockOffsetMsBad / 1_000} s apart, or not trusted`,
  },
  'database-login': {
    examines: 'rights of the login',
    warns: 'one login for processes and commands',
    fails: 'a superuser',
  },
  nats: { examines: 'NATS', warns: never, fails: `no connection, or older than ${natsVersionMin}` },
  'nats-tls': { examines: '`RINGPROOF_NATS_URL`', warns: 'no TLS beyond this machine', fails: never },
  'nats-replicas': { examines: 'streams in a cluster', warns: 'fewer than 3 copies', fails: never },
  'nats-sync': {
    examines: "JetStream's `sync_interval`, at `RINGPROOF_NATS_MONITOR_URLS`",
    warns: 'not known',
    fails: 'not `always`',
  },
  asterisk: {
    examines: 'the Asterisk of this node',
    warns: never,
    fails: `no connection, or older than ${asteriskVersionMin}`,
  },
  'asterisk-modules': { examines: 'its modules', warns: never, fails: 'one that calls need is not running' },
  'public-address': {
    examines: 'the address in Contact and SDP, against the setting and against what carriers see',
    warns: never,
    fails: 'they differ',
  },
  'rtp-ports': {
    examines: 'the RTP range, against the setting and the channels of the trunks',
    warns: 'too small',
    fails: 'they differ, or it contains a SIP port',
  },
  edge: {
    examines: 'the signalling edge of this node, if there is one',
    warns: never,
    fails: `no response, older than Kamailio ${kamailioVersionMin}, or ${kamailioVersionsBad.join(' or ')}`,
  },
  'edge-address': {
    examines: 'where carriers reach the edge',
    warns: never,
    fails: 'not set, not of this machine, shared with Asterisk, or not what the edge runs with',
  },
  'edge-buffers': {
    examines: '`net.core.rmem_max`, against `RINGPROOF_EDGE_CALLS_PER_SECOND`',
    warns: 'too small',
    fails: never,
  },
  trunks: {
    examines: 'each trunk, as the nodes see it: OPTIONS and registration',
    warns: 'no trunk is on',
    fails: 'the carrier does not answer or rejects us, no node reports, or all trunks are stopped',
  },
  codes: { examines: 'caller numbers by country', warns: 'a code without a number', fails: never },
  'confirmation-numbers': { examines: 'numbers to call, by database', warns: 'none', fails: never },
  registry: {
    examines: 'the numbering registry',
    warns: `none, or older than ${registryWarningDays} days`,
    fails: `older than ${registryBadDays} days, or not readable`,
  },
  secrets: {
    examines: 'keys and private files',
    warns: 'a private file that others can read',
    fails: 'a key that is missing, that others can read, or that a database is not written with',
  },
  'key-rotation': { examines: 'age of the active keys', warns: 'older than the verifications', fails: never },
  proxy: {
    examines: 'public URL, listening address, trusted proxies',
    warns: 'plain HTTP beside the proxy',
    fails: 'no TLS, no proxy trusted, or every address trusted',
  },
  mail: { examines: 'the mail server', warns: 'none, or a sender at localhost', fails: 'no connection or login' },
  telegram: { examines: 'the bot, if there is one', warns: never, fails: 'Telegram does not accept it' },
  disk: {
    examines: 'disks of keys, numbering data and messages',
    warns: `less than ${diskFreeWarning * 100} % free`,
    fails: `less than ${diskFreeBad * 100} % free`,
  },
  backup: {
    examines: 'pgBackRest, by stanza of `RINGPROOF_BACKUP_STANZAS`',
    warns: `not known, or older than ${backupWarningDays} days`,
    fails: `none, or older than ${backupBadDays} days`,
  },
  certificates: {
    examines: 'certificate files that settings name',
    warns: `less than ${certificateWarningDays} days left`,
    fails: 'expired or not readable',
  },
} as const satisfies Record<string, Check>

export type CheckName = keyof typeof checks
export const checkNames = Object.keys(checks) as CheckName[]
