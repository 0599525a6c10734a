// The numbers of a call as its trunk wants them: the last place before the wire, so only validated digits leave it.

import { writeNumber } from '../../domain/numbers/number-format.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { carries, type Trunk } from '../../domain/trunks/trunk.ts'
import type { Dial } from '../switch.ts'

export function dialledNumbers(
  trunk: Trunk,
  { to, from }: Pick<Dial, 'to' | 'from'>,
): { readonly called: string; readonly caller: string } {
  if (!carries(trunk, to)) throw new RangeError('this trunk does not carry calls to this number')
  return {
    called: `${trunk.calledPrefix}${writeNumber(trunk.calledFormat, numberOf(to))}`,
    caller: writeNumber(trunk.callerFormat, numberOf(from)),
  }
}

function numberOf(text: string): PhoneNumber {
  if (!/^[1-9]\d{6,14}$/.test(text)) throw new RangeError('a dialled number has 7 to 15 digits')
  return text as PhoneNumber
}
