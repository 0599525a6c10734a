// Trunks. Each change is the action that the operator's command line calls.

import { resumeAllTrunks, stopAllTrunks } from '../../../actions/protection/stop-calls.ts'
import { answerTrunkTest, showTrunkTest, startTrunkTest } from '../../../actions/trunks/trunk-tests.ts'
import { addTrunk, listTrunks, removeTrunk, setTrunk } from '../../../actions/trunks/trunks.ts'
import { showTrunkLog, showTrunks } from '../../../actions/trunks/trunks-view.ts'
import { nonceBytes } from '../../../domain/crypto/sealing.ts'
import { freeTrunkName, sealTrunkPassword, type Trunk, trunkDefaults } from '../../../domain/trunks/trunk.ts'
import type { WebDeps } from '../core/deps.ts'
import { actorOf, type Handlers, type Visit } from '../core/handlers.ts'

export function trunkHandlers(deps: WebDeps) {
  const set = (visit: Visit, name: string, changes: Partial<Trunk>, password?: string) =>
    setTrunk(deps, actorOf(visit), { name, changes, password })
  return {
    trunks: async () => showTrunks(deps),
    'trunk-log': async (_, { name }) => showTrunkLog(deps, name),
    'add-trunk': async (visit, { password, ...carrier }) => {
      const { trunks } = await listTrunks(deps)
      const name = freeTrunkName(
        carrier.address,
        trunks.map((trunk) => trunk.name),
      )
      const hasPassword = carrier.user !== null && password !== ''
      const passwordSealed = hasPassword
        ? sealTrunkPassword(deps.recordKeys, name, password, deps.randomBytes(nonceBytes))
        : null
      await addTrunk(deps, actorOf(visit), {
        ...trunkDefaults,
        ...carrier,
        name,
        passwordSealed,
        outboundRegistration: hasPassword,
        // After the others.
        priority: Math.max(trunkDefaults.priority, ...trunks.map(({ priority }) => priority + 1)),
        isDraining: true,
      })
      return { name }
    },
    'set-trunk': async (visit, { name, password, ...changes }) => {
      await set(visit, name, changes, password === '' ? undefined : password)
    },
    'set-trunk-limits': async (visit, { name, ...limits }) => {
      await set(visit, name, limits)
    },
    'use-trunk': async (visit, { name, use }) => {
      await set(visit, name, { isOn: use !== 'off', isDraining: use === 'drain' })
    },
    'order-trunks': async (visit, { names }) => {
      const { trunks } = await listTrunks(deps)
      for (const [index, name] of names.entries()) {
        const priority = (index + 1) * 10
        if (trunks.some((trunk) => trunk.name === name && trunk.priority !== priority))
          await set(visit, name, { priority })
      }
    },
    'remove-trunk': async (visit, { name, isWithNumbers }) =>
      removeTrunk(deps, actorOf(visit), { name, withNumbers: isWithNumbers }),
    'stop-trunks': async (visit, { reason }) => {
      await stopAllTrunks(deps, actorOf(visit), { reason })
    },
    'resume-trunks': async (visit) => {
      await resumeAllTrunks(deps, actorOf(visit))
    },
    'start-trunk-test': async (visit, input) => startTrunkTest(deps, actorOf(visit), input),
    'trunk-test': async (_, { id }) => showTrunkTest(deps, Number(id)),
    'answer-trunk-test': async (_, input) => answerTrunkTest(deps, input),
  } satisfies Partial<Handlers>
}
