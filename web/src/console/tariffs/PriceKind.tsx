// What a price is for.

import { Select } from '../../parts/forms/Form.tsx'
import { useScreenWords } from '../../words/words.ts'

export const items = {
  flash: { method: 'initCall', mode: 'flash' },
  voice: { method: 'initCall', mode: 'voice' },
  mix: { method: 'initCall', mode: 'mix' },
  inbound: { method: 'inboundCallWaiting', mode: '' },
  checkPhone: { method: 'checkPhone', mode: '' },
} as const
export type Kind = keyof typeof items
export const kinds = Object.keys(items) as Kind[]

export function PriceKind({ kind, onChange }: { readonly kind: Kind; readonly onChange: (kind: Kind) => void }) {
  const words = useScreenWords('tariffs')
  return (
    <Select
      label={words.what}
      value={kind}
      onChange={onChange}
      of={kinds.map((value) => ({ value, text: words.kinds[value] }))}
    />
  )
}
