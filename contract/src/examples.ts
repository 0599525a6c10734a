// One golden request and response per method, and one webhook, used by the docs, OpenAPI and tests.

import checkPhone from '../examples/checkPhone.json' with { type: 'json' }
import getAccount from '../examples/getAccount.json' with { type: 'json' }
import getBalance from '../examples/getBalance.json' with { type: 'json' }
import getInfo from '../examples/getInfo.json' with { type: 'json' }
import getService from '../examples/getService.json' with { type: 'json' }
import inboundCall from '../examples/inboundCall.json' with { type: 'json' }
import inboundCallWaiting from '../examples/inboundCallWaiting.json' with { type: 'json' }
import initCall from '../examples/initCall.json' with { type: 'json' }
import initRepeat from '../examples/initRepeat.json' with { type: 'json' }
import type { Method } from './methods.ts'

export type Example = { readonly request: Readonly<Record<string, unknown>>; readonly response: unknown }

export const examples: Readonly<Record<Method, Example>> = {
  initCall,
  getInfo,
  initRepeat,
  inboundCallWaiting,
  checkPhone,
  getAccount,
  getService,
  getBalance,
}

// The body of a webhook.
export const webhookExample = inboundCall
