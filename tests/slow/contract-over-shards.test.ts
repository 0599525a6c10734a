import { testContract } from '../contract/acceptance.ts'
import { serveBehindOneAddress } from '../support/network/balancer.ts'
import { installPhones } from '../support/process/phones.ts'

const installation = await installPhones(1, 2)
const base = await serveBehindOneAddress(installation, 4)

testContract('the contract over four processes and two databases', installation, base)
