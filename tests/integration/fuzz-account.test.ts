// The other half of fuzz.test.ts, in a separate process.

import { insertPrice } from '../../server/src/db/money/tariff.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { createSend, halves, realDeps, testMethods } from '../support/fuzz/run.ts'
import { install, makeService } from '../support/process/server.ts'

const installation = await install()
// Cheap enough that many requests are answered, expensive enough that the money runs out.
const price = 10_000 as MicroAmount
const lookup = { method: 'checkPhone', mode: '', country: '*', price, validFrom: undefined } as const
await insertPrice(installation.slots.globalDatabase, 'uni', lookup)
const services = [await makeService(installation), await makeService(installation)]

testMethods(halves[1], await createSend(await realDeps(installation)), services)
