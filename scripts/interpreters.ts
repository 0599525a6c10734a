// What `npm run interpreters` does, and npm test before the tests: installs what they need besides servers, where it is
// missing.

import { installInterpreters } from './stack/interpreters.ts'

const installed = await installInterpreters()
process.stdout.write(
  installed.length === 0 ? 'Every program that the tests need is there.\n' : `Installed ${installed.join(', ')}.\n`,
)
