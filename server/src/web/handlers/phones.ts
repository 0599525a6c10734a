// Virtual phones.

import { actOnCall } from '../../actions/act-on-call.ts'
import { addPhone } from '../../actions/add-phone.ts'
import { dialFromPhone } from '../../actions/dial-from-phone.ts'
import { listPhoneCalls } from '../../actions/list-phone-calls.ts'
import { setPhone } from '../../actions/set-phone.ts'
import { setPhoneFault } from '../../actions/set-phone-fault.ts'
import type { WebDeps } from './deps.ts'
import { accountOf, type HandlersOf } from './handlers.ts'

type Names = 'phones' | 'act-on-call' | 'set-phone' | 'add-phone' | 'dial-from-phone' | 'set-phone-fault'

export function phoneHandlers(deps: WebDeps): HandlersOf<Names> {
  return {
    phones: async (visit) => listPhoneCalls(deps, accountOf(visit)),
    'act-on-call': async (visit, input) => actOnCall(deps, accountOf(visit), input),
    'set-phone': async (visit, input) => setPhone(deps, accountOf(visit), input),
    'add-phone': async (visit) => addPhone(deps, accountOf(visit)),
    'dial-from-phone': async (visit, input) => dialFromPhone(deps, accountOf(visit), input),
    'set-phone-fault': async (visit, input) => setPhoneFault(deps, accountOf(visit), input),
  }
}
