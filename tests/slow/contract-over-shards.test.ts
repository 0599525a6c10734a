import { test } from 'node:test'
import { accept, skip } from '../support/acceptance.ts'
import { serveBehindOneAddress } from '../support/network/balancer.ts'
import { installPhones } from '../support/process/phones.ts'

const installation = await installPhones(1, 2)
const base = await serveBehindOneAddress(installation, 4)

test('the contract is accepted of four processes over two databases', { skip }, () => accept(installation, base))
