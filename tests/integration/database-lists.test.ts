// Lists of words that the database checks are the lists of the contract and of the domain. A constraint with three or more words, and
// every enumerated type, needs a row here.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyScopes, serviceStates, startSteps } from '@ringproof/contract/lists/accounts.ts'
import {
  assurances,
  enders,
  ladderReasons,
  ladderStates,
  promptLanguages,
  verificationModes,
  verificationStates,
} from '@ringproof/contract/lists/calls.ts'
import { severities } from '@ringproof/contract/lists/installation.ts'
import { pricedMethods } from '@ringproof/contract/lists/money.ts'
import { languages, noticeChannels, noticeKinds } from '@ringproof/contract/lists/people.ts'
import { phoneFaults, phoneStates } from '@ringproof/contract/lists/phones.ts'
import { limitedRules } from '@ringproof/contract/lists/protection.ts'
import { webhookStates } from '@ringproof/contract/lists/requests.ts'
import {
  callerIdHeaders,
  carrierStates,
  inboundIdentities,
  numberFormats,
  returnPathModes,
  sipTransports,
  switchOverEnds,
} from '@ringproof/contract/lists/trunks.ts'
import { callModes } from '@ringproof/contract/methods.ts'
import { memberRoles, operatorRoles } from '@ringproof/contract/web/access.ts'
import { slotStates } from '../../server/src/db/core/slot-move.ts'
import { ledgerAccounts } from '../../server/src/domain/money/ledger.ts'
import { linkLife } from '../../server/src/domain/people/session.ts'
import { breakerPhases } from '../../server/src/domain/protection/prefix-breaker.ts'
import { asOwner, testDatabase } from '../support/database/test-database.ts'

const lists: Readonly<Record<string, readonly string[]>> = {
  ladder_state: ladderStates,
  ledger_account: ledgerAccounts,
  notice_channel: noticeChannels,
  notice_kind: noticeKinds,
  verification_mode: verificationModes,
  verification_state: verificationStates,
  webhook_state: webhookStates,
  'announcements.severity': severities,
  'api_keys.scopes': keyScopes,
  'fraud_limits.rule': limitedRules,
  'ladders.reason': ladderReasons,
  'memberships.role': memberRoles,
  'one_time_links.kind': Object.keys(linkLife),
  'prefix_breakers.phase': breakerPhases,
  'services.language': promptLanguages,
  'services.modes': verificationModes,
  'services.state': serviceStates,
  'slot_moves.state': slotStates,
  'start_steps.step': startSteps,
  'switch_overs.end_reason': switchOverEnds,
  'tariff_prices.method': pricedMethods,
  'tariff_prices.mode': ['', ...callModes],
  'trunk_costs.mode': verificationModes,
  'trunk_states.state': carrierStates,
  'trunks.called_format': numberFormats,
  'trunks.caller_format': numberFormats,
  'trunks.caller_id_header': callerIdHeaders,
  'trunks.identity': inboundIdentities,
  'trunks.inbound_format': numberFormats,
  'trunks.return_path': returnPathModes,
  'trunks.transport': sipTransports,
  'users.language': languages,
  'users.operator_role': operatorRoles,
  'verifications.assurance': assurances,
  'verifications.ended_by': enders,
  'virtual_phone_faults.fault': phoneFaults,
  'virtual_phones.state': phoneStates,
}

const { ownerUrl } = await testDatabase()

test('every list that the database checks is that of the contract or of the domain', async () => {
  const found = await readLists()
  const checked = [...found.keys()].filter((name) => (found.get(name)?.length ?? 0) > 2)
  for (const name of new Set([...checked, ...Object.keys(lists)])) {
    assert.deepEqual(found.get(name)?.toSorted(), lists[name]?.toSorted(), name)
  }
})

// By table and column, or by the name of a type. A check of one column reads `column = ANY (ARRAY['a'::text, …])` or
// `column <@ '{a,b}'::text[]`.
async function readLists(): Promise<ReadonlyMap<string, readonly string[]>> {
  return asOwner(async (client) => {
    const types = await client.query<{ name: string; words: string[] }>(
      `SELECT typname AS name, array_agg(enumlabel::text) AS words FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid
       GROUP BY typname`,
    )
    const checks = await client.query<{ relation: string; check: string }>(
      `SELECT relname AS relation, pg_get_constraintdef(c.oid) AS check FROM pg_constraint AS c JOIN pg_class AS r ON r.oid = conrelid
       WHERE contype = 'c' AND connamespace = 'public'::regnamespace AND NOT relispartition`,
    )
    return new Map([
      ...types.rows.map(({ name, words }) => [name, words] as const),
      ...checks.rows.flatMap(({ relation, check }) =>
        [...check.matchAll(/\b(\w+) (?:= ANY \(+ARRAY\[(.*?)\]|<@ '\{(.*?)\}')/g)].map(
          ([, column, quoted, plain]) =>
            [
              `${relation}.${column}`,
              plain?.split(',') ?? [...(quoted ?? '').matchAll(/'(.*?)'/g)].map(([, word = '']) => word),
            ] as const,
        ),
      ),
    ])
  }, ownerUrl)
}
