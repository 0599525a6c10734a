// Protection. Each change is the action that the operator's command line calls.

import { protectionLevels } from '@ringproof/contract/lists/protection.ts'
import { listFraudHits, replayFraudRules, setFraudLimits } from '../../../actions/protection/fraud-rules.ts'
import { addOptOut, checkOptOut, removeOptOut } from '../../../actions/protection/opt-outs.ts'
import { endPrefixAllowance, unblockPrefix } from '../../../actions/protection/prefixes.ts'
import { optOutsCounted, showProtection } from '../../../actions/protection/show-protection.ts'
import { readFreeText } from '../../../domain/numbers/free-text-number.ts'
import { mask, type PhoneNumber } from '../../../domain/numbers/phone-number.ts'
import { limitsOfLevel } from '../../../domain/protection/fraud-limits.ts'
import { daySeconds } from '../../../domain/values/time.ts'
import { Denial } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import { actorOf, type Handlers } from '../core/handlers.ts'

const hitRows = 12

export function protectionHandlers(deps: WebDeps) {
  const optOutDeps = { slots: deps.slots, slotKeys: deps.keys.phoneSlot }
  // One at a time in a process: a replay reads many calls.
  let isReplaying = false
  return {
    protection: async () => protectionOf(deps),
    'replay-fraud-rules': async (_, input) => {
      if (isReplaying) throw new Denial('throttled', [], 5)
      isReplaying = true
      try {
        const { fromMs, untilMs, rules, callParts, ...rest } = await replayFraudRules(deps, input)
        return {
          ...rest,
          from: fromMs,
          until: untilMs,
          callParts: [...callParts],
          rules: rules.map(({ most, blockedParts, ...rule }) => ({
            ...rule,
            most: most ?? null,
            blockedParts: [...blockedParts],
          })),
        }
      } finally {
        isReplaying = false
      }
    },
    'set-fraud-limits': async (visit, limits) => {
      await setFraudLimits(deps, actorOf(visit), limits)
    },
    'unblock-prefix': async (visit, input) => {
      await unblockPrefix(deps, actorOf(visit), { ...input, isForGood: false })
    },
    'allow-prefix': async (visit, input) => {
      await unblockPrefix(deps, actorOf(visit), { ...input, isForGood: true })
    },
    'end-prefix-allowance': async (visit, input) => {
      if (!(await endPrefixAllowance(deps, actorOf(visit), input))) throw new Denial('not-found')
    },
    'find-opt-out': async (visit, input) => {
      const phone = phoneOf(input.phone)
      const since = await checkOptOut(optOutDeps, actorOf(visit), phone)
      return { mask: mask(phone), since: since?.getTime() ?? null }
    },
    'add-opt-out': async (visit, { reason, ...input }) => {
      const phone = phoneOf(input.phone)
      return { mask: mask(phone), isNew: await addOptOut(optOutDeps, actorOf(visit), phone, reason) }
    },
    'remove-opt-out': async (visit, { reason, ...input }) => {
      const phone = phoneOf(input.phone)
      return { mask: mask(phone), wasThere: await removeOptOut(optOutDeps, actorOf(visit), phone, reason) }
    },
  } satisfies Partial<Handlers>
}

async function protectionOf(deps: WebDeps) {
  const filter = { sinceSeconds: daySeconds, rule: undefined, serviceId: undefined }
  const [shown, hits] = await Promise.all([showProtection(deps), listFraudHits(deps, filter)])
  return {
    stop: shown.stop ? { reason: shown.stop.reason, stoppedAt: shown.stop.stoppedAt.getTime() } : null,
    level: shown.level ?? null,
    limits: shown.limits,
    isSet: shown.isSet,
    levels: protectionLevels.map((level) => ({ level, limits: limitsOfLevel[level] })),
    rules: shown.rules.map(({ lastAt, ...rule }) => ({ ...rule, lastAt: lastAt?.getTime() ?? null })),
    blocked: shown.blocked.map(({ prefix, serviceId, ownMax, since, until, ...one }) => ({
      ...one,
      prefix: prefix ?? null,
      serviceId: serviceId ?? null,
      ownMax: ownMax ?? null,
      since: since.getTime(),
      until: until?.getTime() ?? null,
    })),
    allowed: shown.allowed.map(({ scope, prefix, reason, createdAt, until }) => ({
      scope,
      prefix: prefix ?? null,
      reason,
      since: createdAt.getTime(),
      until: until?.getTime() ?? null,
    })),
    hits: hits.slice(0, hitRows).map(({ minute, rule, serviceId, prefix, hits: count }) => ({
      at: minute.getTime(),
      rule,
      serviceId,
      prefix: prefix ?? null,
      hits: count,
    })),
    optOuts: shown.optOuts,
    isMoreOptOuts: shown.optOuts >= optOutsCounted,
  }
}

function phoneOf(text: string): PhoneNumber {
  const digits = /^[+\d\s().-]+$/.test(text.trim()) ? readFreeText(text.trim()) : undefined
  if (digits === undefined) throw new Denial('invalid', ['phone'])
  return digits as PhoneNumber
}
