// How the servers of this installation are examined: for `ringproof doctor`, and for the operator console.

import { randomBytes } from 'node:crypto'
import type { InstallationProbes } from '../actions/installation/examine-installation.ts'
import { probeNats, probeNatsStorage } from '../engine/core/probe-nats.ts'
import { probeMail } from '../mail/mailer.ts'
import { probeTelegram } from '../mail/telegram.ts'
import { numberingStatus } from '../numbering/inspect.ts'
import type { Clock } from '../process/clock.ts'
import type { Config } from '../process/config/config.ts'
import { readBackups, readCertificates, readDisks, readSecretsFacts } from '../process/installation-files.ts'
import { probeAsterisk } from '../telephony/asterisk/probe.ts'
import { parseEdgeUrl } from '../telephony/edge/config.ts'
import { edgeKeys } from '../telephony/edge/key.ts'
import { probeEdge, probeEdgeMachine } from '../telephony/edge/probe.ts'
import { seenAddress } from '../telephony/edge/seen-address.ts'

export function createInstallationProbes(config: Config, clock: Clock): InstallationProbes {
  const { ariUrl, ariUser, ariPassword, ariCaFile, sipTransports } = config
  const ari = { url: ariUrl, user: ariUser, password: ariPassword, caFile: ariCaFile }
  return {
    nats: (signal) => probeNats(config, config.natsPrefix, signal),
    natsStorage: probeNatsStorage,
    asterisk: (signal) => probeAsterisk(ari, sipTransports, signal),
    seenAddress: (trunk) => seenAddress(trunk, clock, randomBytes),
    edgeInside: config.edgeUrl === undefined ? undefined : parseEdgeUrl(config.edgeUrl),
    edge: (inside, signal) => probeEdge(inside, edgeKeys(ariPassword), clock, randomBytes, signal),
    edgeMachine: probeEdgeMachine,
    numbering: () => numberingStatus(config.numberingDir),
    secrets: () => readSecretsFacts(config),
    certificates: () => readCertificates(config),
    disks: () => readDisks(config),
    backups: readBackups,
    mail: probeMail,
    telegram: (token, signal) => probeTelegram({ token, api: config.telegramApi }, signal),
  }
}
