// What the Asterisk image contains: Asterisk, the modules that deploy/asterisk/modules.conf loads, and the prompts.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asteriskLibraries, asteriskPackages } from '../stack/parts/asterisk.ts'
import { repository } from './program.ts'
import type { Trimmed } from './trimmed.ts'

export const asterisk: Trimmed = {
  program: 'asterisk',
  // Debian's first suite with Asterisk 22.10.1, which reports the SIP status of a refused call over ARI.
  suite: 'forky',
  packages: asteriskPackages,
  // The last has the copyright of the C and C++ libraries.
  libraries: new RegExp(`${asteriskLibraries.source}|^gcc-\\d+-base$`),
  modules: () => {
    const text = readFileSync(join(repository, 'deploy/asterisk/modules.conf'), 'utf8')
    return [...text.matchAll(/^load = (\S+)$/gm)].map(([, name = '']) => name)
  },
  loadedByName: [
    // libsrtp loads NSS's cryptography by name.
    'libsoftokn3.so',
    'libfreebl3.so',
    'libfreeblpriv3.so',
    // For the node image.
    'libdl.so.2',
    'libm.so.6',
    'libpthread.so.0',
    'libstdc++.so.6',
  ],
  otherFiles: ['usr/share/asterisk/sounds', 'usr/share/asterisk/documentation', 'usr/share/asterisk/rest-api'],
}
