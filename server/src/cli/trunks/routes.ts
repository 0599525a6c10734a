// Where calls would go.

import { readFileSync } from 'node:fs'
import { refusals } from '@ringproof/contract/errors.ts'
import { type CallMode, callModes } from '@ringproof/contract/methods.ts'
import { type ExplainedRoute, explainRoute } from '../../actions/verifications/explain-route.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { emptyNumberingIndex } from '../../domain/numbers/numbering-index.ts'
import { refusalSentence, UsageError } from '../../process/errors.ts'
import { type CliCommand, type CommandResult, type DatabaseContext, parseServiceId } from '../core/context.ts'
import { table } from '../core/table.ts'
import { addSwitchOverCommands, sentenceOf } from './switch-overs.ts'

export function addRouteCommands(program: CliCommand): void {
  const routes = program.command('routes').description('Show where calls would go, and traffic that was switched over.')
  routes
    .command('explain')
    .description(
      'Show which trunk and caller number a call would use, what it costs and what would refuse it. Nothing is dialled.',
    )
    .argument('<number>', 'number with its country code; - reads it from standard input')
    .option('--mode <flash|voice|mix>', 'mode of the call', 'flash')
    .option('--code <digits>', 'code that the client asks for; default: any')
    .option('--service <id>', 'service whose settings hold; default: those of a new account, without limits')
    .work(explain)
  addSwitchOverCommands(routes)
}

type Options = { mode: string; code?: string; service?: string }

async function explain(open: DatabaseContext, number: string, options: Options): Promise<CommandResult> {
  const { mode, code, service } = options
  if (!isCallMode(mode)) throw new UsageError(`--mode takes ${callModes.join(', ')}, not "${mode}".`)
  if (code !== undefined && (!/^\d{4}$/.test(code) || code === '0000'))
    throw new UsageError('--code takes 4 digits, and not 0000.')
  const { numberingDir, prefixHourMax, timeScale } = open.readConfig()
  const index = numberingDir === '' ? emptyNumberingIndex : await (await open.numbering()).readIndex(numberingDir)
  const route = await explainRoute(
    {
      slots: open.slots,
      keys: {
        phoneSubscriber: open.subscriberKeys,
        phoneSlot: open.slotKeys,
        phoneTenant: open.tenantKeys,
        sealRecords: open.recordKeys,
      },
      numbers: () => index,
      randomBytes: open.randomBytes,
      prefixHourMax,
      timeScale,
    },
    {
      phone: (number === '-' ? readFileSync(0, 'utf8') : number).trim(),
      mode,
      code,
      serviceId: service === undefined ? undefined : parseServiceId(service),
    },
  )
  return { json: jsonOf(route), text: textOf(open, route) }
}

function isCallMode(text: string): text is CallMode {
  return callModes.some((mode) => mode === text)
}

function jsonOf({ number, info, trunks, price, refusal, switchOver, ...route }: ExplainedRoute): unknown {
  return {
    country: number.country ?? null,
    provider: info.currentProvider ?? null,
    assigned_to: info.provider ?? null,
    is_ported: info.isPorted,
    mode: route.mode,
    trunk: route.chosen ?? null,
    caller_number: route.callerNumber ?? null,
    price: price === undefined ? null : toDecimal(price),
    tariff: route.tariff,
    trunks: trunks.map(({ trunk, priority, part }) => ({ trunk, priority, part })),
    switch_over: switchOver ? { id: switchOver.id, from: switchOver.from, to: switchOver.to } : null,
    refusal: refusal ? { code: refusals[refusal.refusal].code, error: refusalSentence(refusal, 'en') } : null,
    rules: route.rules,
  }
}

const reasons = {
  tried: 'takes the call',
  'no-code': 'no caller number ends with the code',
  'no-number': 'no caller number for the country',
  elsewhere: 'does not serve the country',
  off: 'off',
} as const

function textOf({ money, currency }: DatabaseContext, route: ExplainedRoute): string {
  const { number, info, trunks, chosen, callerNumber, price, tariff, refusal, mode, switchOver } = route
  const provider = info.currentProvider ?? 'unknown'
  const ported = info.isPorted ? `, ported from ${info.provider ?? 'unknown'}` : ''
  return [
    `Country: ${number.country ?? 'none'}. Provider: ${provider}${ported}.`,
    refusal
      ? `Refused with code ${refusals[refusal.refusal].code}: ${refusalSentence(refusal, 'en')}`
      : `A ${mode} call goes out over trunk ${chosen ?? 'none'} and shows ${callerNumber ?? 'no number'}.`,
    ...(currency === undefined ? [] : [`Price: ${price === undefined ? 'none' : money(price)}, tariff ${tariff}.`]),
    ...(switchOver ? [`Switch-over ${sentenceOf(switchOver)}`] : []),
    ...(trunks.length === 0
      ? []
      : [
          '',
          table(
            ['TRUNK', 'PRIORITY', 'WHY'],
            trunks.map((one) => [one.trunk, String(one.priority), reasons[one.part]]),
          ),
        ]),
  ].join('\n')
}
