import type { SlotMap } from '../../db/core/slot-map.ts'
import { readLiveCallerRanges } from '../../db/trunks/caller-number.ts'
import { readTrunks } from '../../db/trunks/trunk.ts'
import { describeNumber } from '../../domain/numbers/number-plan.ts'
import { emptyNumberingIndex } from '../../domain/numbers/numbering-index.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { anyNumber } from '../../domain/trunks/caller-pool.ts'
import { carries, type Trunk } from '../../domain/trunks/trunk.ts'
import type { CallProgress } from '../../domain/verifications/call-outcome.ts'
import { UsageError } from '../../process/errors.ts'

export type TestCall = { readonly trunk: Trunk; readonly to: PhoneNumber; readonly from: PhoneNumber }

type Deps = {
  readonly slots: SlotMap
  // Places one flash call over this machine's switch and follows it to its end.
  readonly placeTestCall: (call: TestCall) => Promise<CallProgress>
}
type Command = { readonly name: string; readonly to: PhoneNumber; readonly from: PhoneNumber | undefined }
type Tested = TestCall & { readonly progress: CallProgress }

// Places one test call: not charged, not limited, not stored. Its caller ID is the trunk's first number for the country,
// unless --from gives another.
export async function testTrunk(deps: Deps, command: Command): Promise<Tested> {
  const call = await chooseTestCall(deps, command, 0)
  return { ...call, progress: await deps.placeTestCall(call) }
}

// The random fraction in [0, 1) chooses among the numbers of a range.
export async function chooseTestCall(
  { slots }: Pick<Deps, 'slots'>,
  { name, to, from }: Command,
  random: number,
): Promise<TestCall> {
  const { globalDatabase } = slots
  const [trunks, ranges] = await Promise.all([readTrunks(globalDatabase), readLiveCallerRanges(globalDatabase)])
  const trunk = trunks.find((known) => known.name === name)
  if (!trunk) throw new UsageError(`Trunk ${name} does not exist. \`ringproof trunks list\` shows all trunks.`)
  if (!carries(trunk, to)) {
    throw new UsageError(
      trunk.isTest
        ? `Trunk ${name} is the test trunk: --to takes a virtual phone, 79000001000 to 79000009999.`
        : 'Virtual phones are reached only over the test trunk.',
    )
  }
  // Only the country is needed, and the numbering plans know it without registry data.
  const { country } = describeNumber(to, emptyNumberingIndex)
  const numbers = ranges.filter((range) => range.trunk === name)
  const range = numbers.find((one) => one.country === country) ?? numbers[0]
  const callerId = from ?? (range && (String(anyNumber([range], random)) as PhoneNumber))
  if (callerId === undefined)
    throw new UsageError(`Trunk ${name} has no caller numbers. Set the caller ID with --from.`)
  return { trunk, to, from: callerId }
}
