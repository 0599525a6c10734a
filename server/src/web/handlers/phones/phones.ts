// Virtual phones.

import { listPhoneCalls } from '../../../actions/phones/list-phone-calls.ts'
import { addPhone, dialFromPhone, setPhone, setPhoneFault } from '../../../actions/phones/phones.ts'
import { actOnCall } from '../../../actions/verifications/calls.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, type Handlers } from '../core/handlers.ts'

export function phoneHandlers(deps: WebDeps) {
  return {
    phones: async (visit) => listPhoneCalls(deps, accountOf(visit)),
    'act-on-call': async (visit, input) => actOnCall(deps, accountOf(visit), input),
    'set-phone': async (visit, input) => setPhone(deps, accountOf(visit), input),
    'add-phone': async (visit) => addPhone(deps, accountOf(visit)),
    'dial-from-phone': async (visit, input) => dialFromPhone(deps, accountOf(visit), input),
    'set-phone-fault': async (visit, input) => setPhoneFault(deps, accountOf(visit), input),
  } satisfies Partial<Handlers>
}
