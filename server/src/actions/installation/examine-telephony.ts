// Examines the Asterisk and the signalling edge of this node, the trunks and our own numbers.

import { nameOf } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTariffs } from '../../db/money/tariff.ts'
import { readConfirmationNumbers } from '../../db/trunks/confirmation-number.ts'
import { readCallerRanges } from '../../db/trunks/trunk.ts'
import { slotsAll } from '../../domain/core/slot.ts'
import type { Finding } from '../../domain/installation/finding.ts'
import { evaluateCodes, evaluateConfirmationNumbers } from '../../domain/installation/numbers-check.ts'
import {
  type EdgeAddress,
  type EdgeMachine,
  evaluateEdge,
  evaluateEdgeAddress,
  evaluateEdgeBuffers,
  unreachableEdge,
} from '../../domain/installation/signalling-edge.ts'
import {
  type AsteriskFacts,
  evaluateAsterisk,
  evaluatePublicAddress,
  evaluateRtpPorts,
  evaluateTrunk,
  evaluateTrunks,
  type SeenAddress,
  unreachableAsterisk,
} from '../../domain/installation/telephony-check.ts'
import { checkMsMax } from '../../domain/installation/thresholds.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import { type Clock, withTimeLimit } from '../../process/clock.ts'
import type { Config } from '../../process/config/config.ts'
import { codesPossible, showCoverage } from '../trunks/caller-numbers-view.ts'
import { listTrunks } from '../trunks/trunks.ts'

export type TelephonyProbes = {
  readonly asterisk: (signal: AbortSignal) => Promise<AsteriskFacts>
  // Undefined if the carrier does not say it.
  readonly seenAddress: (trunk: Trunk) => Promise<SeenAddress | undefined>
  // Of RINGPROOF_EDGE_URL, if it is set.
  readonly edgeInside: EdgeAddress | undefined
  // Resolves with the address that the edge writes into calls.
  readonly edge: (inside: EdgeAddress, signal: AbortSignal) => Promise<string>
  readonly edgeMachine: () => Promise<EdgeMachine>
}

type Deps = {
  readonly config: Config
  readonly slots: SlotMap
  readonly clock: Clock
  readonly probes: TelephonyProbes
}

// Without the database trunks and numbers are unknown; the finding about the database says why.
export async function examineTelephony(deps: Deps): Promise<readonly Finding[]> {
  const listed = listTrunks(deps)
  listed.catch(() => undefined)
  const findings = [
    examineNode(deps, listed),
    examineEdge(deps),
    examineTrunks(deps, listed),
    examineNumbers(deps, listed),
  ]
  return (await Promise.all(findings)).flat()
}

type Trunks = ReturnType<typeof listTrunks>

// The Asterisk that this machine drives, if it drives one.
async function examineNode({ config, probes, clock }: Deps, listed: Trunks): Promise<readonly Finding[]> {
  if (config.switch !== 'asterisk') return []
  return withTimeLimit(
    clock,
    checkMsMax,
    async (signal) => {
      const facts = await probes.asterisk(signal)
      const { trunks } = await listed.catch(() => ({ trunks: [] }))
      // TCP and TLS carriers see the same address.
      const asked = trunks.filter(({ isOn, address, transport }) => isOn && address !== '' && transport === 'udp')
      const seen = (await Promise.all(asked.map(probes.seenAddress))).filter((one) => one !== undefined)
      return [
        ...evaluateAsterisk(config.node, facts),
        evaluatePublicAddress(config.node, config, facts, seen),
        evaluateRtpPorts(config.node, config, facts, trunks),
      ]
    },
    (error) => [unreachableAsterisk(config.node, error)],
  )
}

async function examineEdge({ config, probes, clock }: Deps): Promise<readonly Finding[]> {
  const { edgeInside: inside } = probes
  if (config.switch !== 'asterisk' || inside === undefined) return []
  const { node } = config
  const machine = await probes.edgeMachine()
  const asked = await withTimeLimit<{ contact?: string; finding: Finding }>(
    clock,
    checkMsMax,
    async (signal) => ({ contact: await probes.edge(inside, signal), finding: evaluateEdge(node, machine) }),
    (error) => ({ finding: unreachableEdge(node, machine, error) }),
  )
  return [
    asked.finding,
    evaluateEdgeAddress(node, inside, config, machine, asked.contact),
    ...evaluateEdgeBuffers(node, config, machine),
  ]
}

async function examineTrunks({ clock }: Deps, listed: Trunks): Promise<readonly Finding[]> {
  return withTimeLimit(
    clock,
    checkMsMax,
    async () => {
      const { trunks, stop } = await listed
      return [...evaluateTrunks(trunks, stop?.reason), ...trunks.map((trunk) => evaluateTrunk(trunk, trunk.states))]
    },
    () => [],
  )
}

async function examineNumbers(deps: Deps, listed: Trunks): Promise<readonly Finding[]> {
  const { slots, clock } = deps
  const { globalDatabase } = slots
  return withTimeLimit(
    clock,
    checkMsMax,
    async () => {
      const [coverage, ranges, numbers, tariffs, { trunks }] = await Promise.all([
        showCoverage(deps, undefined),
        readCallerRanges(globalDatabase),
        readConfirmationNumbers(globalDatabase),
        readTariffs(globalDatabase),
        listed,
      ])
      const serving = new Set(trunks.filter(({ isOn, isTest }) => isOn && !isTest).map(({ name }) => name))
      const usable = numbers.filter(({ trunk, isRemoved }) => !isRemoved && serving.has(trunk))
      const counts = slots.databases.map((database): [string, number] => {
        const own = new Set(slotsAll.filter((slot) => slots.databaseOf(slot) === database))
        return [nameOf(database), usable.filter(({ slot }) => own.has(slot)).length]
      })
      const isSold = tariffs.some(({ prices }) => prices.some(({ method }) => method === 'inboundCallWaiting'))
      const trunkOf = (country: string) => ranges.find((range) => range.country === country)?.trunk
      return [
        ...evaluateCodes(coverage, codesPossible, trunkOf),
        ...evaluateConfirmationNumbers(new Map(counts), isSold),
      ]
    },
    () => [],
  )
}
