import {
  erasePersonalData,
  exportPersonalData,
  findPersonalData,
  type PersonalData,
  type PersonalVerification,
} from '../../actions/verifications/personal-data.ts'
import { secondOfVerification } from '../../domain/core/slot.ts'
import { mask, type PhoneNumber } from '../../domain/numbers/phone-number.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'
import { type Column, listResult } from '../core/table.ts'
import { parsePhone, phoneOption } from '../numbers/phone-option.ts'

const referenceOption = ['--reference <text>', 'your ID of the request, for the action log'] as const

export function addPrivacyCommands(program: CliCommand): void {
  const privacy = program.command('privacy').description('Find, export and erase the personal data of a phone number.')

  const find = privacy
    .command('find')
    .description('Show where data about a phone number is stored, over all accounts. Reads every stored verification.')
    .requiredOption(...phoneOption)
  find.workList(findData)

  const exported = privacy
    .command('export')
    .description('Print everything that is stored about a phone number, as JSON, to hand it to the person.')
    .requiredOption(...phoneOption)
    .option(...referenceOption)
  exported.workList(exportData)

  privacy
    .command('erase')
    .description(
      'Erase everything that is stored about a phone number. It cannot be undone. Ledger entries stay; they contain no person.',
    )
    .requiredOption(...phoneOption)
    .option('--with-opt-out', 'also forget that the number is opted out: it can be called again')
    .option(...referenceOption)
    .work(eraseData)
}

async function findData(open: DatabaseContext, options: { phone: string }): Promise<CommandResult> {
  const phone = parsePhone(options.phone)
  const data = await findPersonalData(open, phone)
  const { json, csv, text } = listResult(placeColumns, data.verifications, 'No verification has this number.')
  return {
    json: { phone: mask(phone), verifications: json, ...numberFacts(data) },
    csv,
    text: [text, ...sentencesOf(data)].join('\n'),
  }
}

async function exportData(
  open: DatabaseContext,
  { phone: text, reference }: { phone: string; reference?: string },
): Promise<CommandResult> {
  const phone = parsePhone(text)
  const data = await exportPersonalData(open, open.actor, { phone, reference })
  const { json: verifications, csv } = listResult([...placeColumns, ...contentColumns], data.verifications, '')
  const json = { phone, verifications, ...numberFacts(data) }
  return { json, csv, text: JSON.stringify(json, undefined, 2) }
}

async function eraseData(
  open: DatabaseContext,
  { phone: text, withOptOut = false, reference }: { phone: string; withOptOut?: boolean; reference?: string },
): Promise<CommandResult> {
  const phone: PhoneNumber = parsePhone(text)
  const erased = await erasePersonalData(open, open.actor, { phone, withOptOut, reference })
  const { verifications, inProgress, hadNumberCalls, isOptOutRemoved } = erased
  return {
    json: {
      phone: mask(phone),
      verifications,
      in_progress: inProgress,
      limits: hadNumberCalls,
      opt_out: isOptOutRemoved,
    },
    text: [
      `Erased ${mask(phone)} from ${counted(verifications)}${hadNumberCalls ? ' and from the limits of numbers' : ''}.`,
      ...(isOptOutRemoved ? ['The number is no longer opted out.'] : []),
      ...(inProgress === 0 ? [] : [`Not erased: ${counted(inProgress)} in progress. Run this again in five minutes.`]),
    ].join('\n'),
  }
}

function counted(verifications: number): string {
  return `${verifications} ${verifications === 1 ? 'verification' : 'verifications'}`
}

function numberFacts({ numberCalls, optedOutAt }: PersonalData): Record<string, unknown> {
  return {
    limits: numberCalls?.map(({ at, serviceId }) => ({ call: at.toISOString(), service_id: serviceId })) ?? null,
    opted_out: optedOutAt?.toISOString() ?? null,
  }
}

function sentencesOf({ numberCalls, optedOutAt }: PersonalData): readonly string[] {
  return [
    ...(numberCalls ? [`Calls that the limits of the number count: ${numberCalls.length}.`] : []),
    ...(optedOutAt ? [`Opted out since ${optedOutAt.toISOString()}.`] : []),
  ]
}

const placeColumns: readonly Column<PersonalVerification>[] = [
  { name: 'vendor_id', head: 'ID', value: ({ id }) => id },
  {
    name: 'accepted',
    head: 'ACCEPTED',
    value: ({ id }) => new Date(secondOfVerification(id) * 1_000).toISOString(),
    text: ({ id }) => new Date(secondOfVerification(id) * 1_000).toISOString().slice(0, 19),
  },
  { name: 'account_id', head: 'ACCOUNT', value: ({ accountId }) => accountId },
  { name: 'service_id', head: 'SERVICE', value: ({ serviceId }) => serviceId },
  { name: 'mode', head: 'MODE', value: ({ mode }) => mode },
  { name: 'state', head: 'STATE', value: ({ state }) => state },
  { name: 'stored', head: 'STORED', value: storedParts },
]

// What a verification has beside the hash and the mask.
function storedParts({ client, unique, callbackUrl, vaultName }: PersonalVerification): string {
  const parts = { client, unique, 'callback URL': callbackUrl, 'vault entry': vaultName }
  const present = Object.entries(parts).flatMap(([name, value]) => (value ? [name] : []))
  return ['hash', 'mask', ...present].join(', ')
}

const contentColumns: readonly Column<PersonalVerification>[] = [
  { name: 'phone', value: ({ phoneMask }) => phoneMask },
  { name: 'country', value: ({ country }) => country },
  { name: 'client', value: ({ client }) => client },
  { name: 'unique', value: ({ unique }) => unique ?? null },
  { name: 'callback_url', value: ({ callbackUrl }) => callbackUrl ?? null },
  { name: 'caller_number', value: ({ callerNumber }) => callerNumber },
  { name: 'dialled', value: ({ dialledAt }) => dialledAt?.toISOString() ?? null },
  { name: 'rang', value: ({ rangAt }) => rangAt?.toISOString() ?? null },
  { name: 'ended', value: ({ endedAt }) => endedAt?.toISOString() ?? null },
  { name: 'reason', value: ({ reason }) => reason },
  { name: 'operator', value: ({ phoneInfo }) => phoneInfo?.operator ?? null },
  { name: 'region', value: ({ phoneInfo }) => phoneInfo?.region ?? null },
]
