// The other half of fuzz.test.ts, in a process of its own.

import { halves, openSend, realDeps, testMethods } from '../support/fuzz-run.ts'
import { install, makeService } from '../support/served.ts'

const installation = await install()
const services = [await makeService(installation), await makeService(installation)]

testMethods(halves[1], await openSend(await realDeps(installation)), services)
