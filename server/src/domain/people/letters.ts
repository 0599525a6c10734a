// The messages that actions send to people. A token becomes a link in the message and is stored nowhere else.

import type { Language } from '@ringproof/contract/lists/people.ts'
import type { MemberRole } from '@ringproof/contract/web/access.ts'

export type Recipient = { readonly email: string; readonly language: Language }

export type Letters = {
  readonly signUp: (to: Recipient, token: string) => void
  readonly knownEmail: (to: Recipient) => void
  readonly reset: (to: Recipient, token: string) => void
  readonly passwordChanged: (to: Recipient) => void
  readonly invitation: (
    to: Recipient,
    token: string,
    invited: { readonly by: string; readonly account: string | undefined; readonly role: MemberRole },
  ) => void
  readonly operator: (to: Recipient, token: string) => void
}
