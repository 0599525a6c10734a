import type { SlotMap } from '../../server/src/db/core/slot-map.ts'
import { insertConfirmationNumber } from '../../server/src/db/trunks/confirmation-number.ts'
import { putTrunk, readTrunks } from '../../server/src/db/trunks/trunk.ts'
import { slotOfNth } from '../../server/src/domain/trunks/confirmation-number.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { trunkNames } from '../world/cast.ts'

// No numbering plan assigns +7 000.
const firstConfirmationNumber = 70_000_020_001
const confirmationNumberCount = 20

// The trunks lead to scripted carriers, the first of them to one that falls ill now and then; and one more leads to the virtual phones,
// which can call us too.
export async function connectTrunks(
  { globalDatabase }: SlotMap,
  addresses: { readonly first: string; readonly carrier: string; readonly phones: string },
): Promise<void> {
  for (const trunk of await readTrunks(globalDatabase)) {
    const carrier = trunk.name === trunkNames[0] ? addresses.first : addresses.carrier
    await putTrunk(globalDatabase, { ...trunk, address: carrier })
  }
  const line = { ...trunkDefaults, name: 'phones', isTest: true, channels: 50, callsPerSecond: 50 }
  await putTrunk(globalDatabase, { ...line, address: addresses.phones, returnPath: 'enforce' })
  for (let n = 0; n < confirmationNumberCount; n++) {
    await insertConfirmationNumber(globalDatabase, firstConfirmationNumber + n, 'phones', slotOfNth(n))
  }
}
