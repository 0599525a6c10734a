// Runs as `npm run interpreters` and before `npm test`: installs missing programs that the tests need besides servers.

import { installInterpreters } from './stack/interpreters.ts'

const installed = await installInterpreters()
process.stdout.write(
  installed.length === 0 ? 'Every program that the tests need is there.\n' : `Installed ${installed.join(', ')}.\n`,
)
