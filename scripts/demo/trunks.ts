import type { SlotMap } from '../../server/src/db/core/slot-map.ts'
import { insertConfirmationNumber } from '../../server/src/db/trunks/confirmation-number.ts'
import { putTrunk, readTrunks } from '../../server/src/db/trunks/trunk.ts'
import { slotOfNth } from '../../server/src/domain/trunks/confirmation-number.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'

// No numbering plan assigns +7 000.
const firstConfirmationNumber = 70_000_020_001
const confirmationNumberCount = 20

// The demo's trunk leads to the scripted carrier of the stack, and a second one to the virtual phones, which can call us too.
export async function connectTrunks(
  { globalDatabase }: SlotMap,
  addresses: { readonly carrier: string; readonly phones: string },
): Promise<void> {
  const demo = (await readTrunks(globalDatabase)).find(({ name }) => name === 'demo')
  if (!demo) throw new Error('there is no trunk named demo')
  await putTrunk(globalDatabase, { ...demo, address: addresses.carrier })
  const line = { ...trunkDefaults, name: 'phones', isTest: true, channels: 50, callsPerSecond: 50 }
  await putTrunk(globalDatabase, { ...line, address: addresses.phones, returnPath: 'enforce' })
  for (let n = 0; n < confirmationNumberCount; n++) {
    await insertConfirmationNumber(globalDatabase, firstConfirmationNumber + n, 'phones', slotOfNth(n))
  }
}
