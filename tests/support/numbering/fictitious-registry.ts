// A numbering registry that never was, imported as an operator imports the real one. It covers the codes that tests call:
// 900, of which the test numbers are, 907, which Russia has given out to nobody, and 495 for landlines.

import assert from 'node:assert/strict'
import { type Environment, ringproof } from '../process/cli.ts'
import { fileDirectory } from '../temporary-directory.ts'
import { daisy, madeRow, putFile, reed, registryBytes } from './registry-files.ts'

const codeLast = 9_999_999

export async function importFictitiousRegistry(environment: Environment): Promise<void> {
  const directory = fileDirectory()
  const files = [
    putFile(
      directory,
      'DEF-9xx.csv',
      registryBytes([
        madeRow(900, 0, codeLast, daisy),
        madeRow(907, 0, 4_999_999, daisy),
        madeRow(907, 5_000_000, codeLast, { ...reed, region: 'Озёрный край', territory: 'Озёрный край' }),
      ]),
    ),
    putFile(directory, 'ABC-4xx.csv', registryBytes([madeRow(495, 0, codeLast, reed)])),
  ]
  const { status, out, err } = await ringproof(environment, 'registry', 'import', ...files)
  assert.equal(status, 0, out + err)
}
