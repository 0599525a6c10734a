import { useState } from 'react'
import { useIsAdmin } from '../../access.ts'
import { AdminForm } from '../../parts/AdminForm.tsx'
import { Field } from '../../parts/Form.tsx'
import { showNotice } from '../../parts/notice.ts'
import { Section } from '../../parts/Page.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import type { ShownTrunk } from './trunk.ts'
import css from './trunks.module.css'

export function Limits({ trunk }: { readonly trunk: ShownTrunk }) {
  const words = useScreenWords('trunks')
  const isAdmin = useIsAdmin()
  const set = useChange('set-trunk-limits', ['trunks', 'trunk-log'])
  const [channels, setChannels] = useState(String(trunk.channels))
  const [callsPerSecond, setCallsPerSecond] = useState(String(trunk.callsPerSecond))
  const areGood = isWhole(channels) && isRate(callsPerSecond)
  const isChanged = channels !== String(trunk.channels) || callsPerSecond !== String(trunk.callsPerSecond)
  const submit = () => {
    const limits = { name: trunk.name, channels: Number(channels), callsPerSecond: rateIn(callsPerSecond) }
    set.mutate(limits, { onSuccess: () => showNotice({ text: words.limitsSaved }) })
  }
  return (
    <Section title={words.limits} lead={words.limitsLead}>
      <AdminForm isReady={areGood && isChanged} isBusy={set.isPending} error={set.error} onSave={submit}>
        <div className={css.fields}>
          <Field
            label={words.channels}
            inputMode="numeric"
            disabled={!isAdmin}
            error={isWhole(channels) ? undefined : words.badNumber}
            value={channels}
            onChange={(event) => setChannels(event.target.value)}
          />
          <Field
            label={words.cps}
            inputMode="decimal"
            disabled={!isAdmin}
            error={isRate(callsPerSecond) ? undefined : words.badNumber}
            value={callsPerSecond}
            onChange={(event) => setCallsPerSecond(event.target.value)}
          />
        </div>
      </AdminForm>
    </Section>
  )
}

function isWhole(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text.trim())
}

function isRate(text: string): boolean {
  return rateIn(text) > 0 && rateIn(text) <= 10_000
}

// A comma is a decimal point in Russian.
function rateIn(text: string): number {
  return /^\d{1,5}([.,]\d{1,2})?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : 0
}
