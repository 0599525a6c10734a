// Protection: what the rules have blocked, their limits, a limit tried on past calls before it is set, blocked ranges, and the
// opt-out list.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { PageHead } from '../../parts/text/Page.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { Allowed, Blocked } from './Blocked.tsx'
import { Hits } from './Hits.tsx'
import { KillSwitch, Stopped } from './KillSwitch.tsx'
import { LevelPreview, Levels } from './Levels.tsx'
import { OptOuts } from './OptOuts.tsx'
import css from './protection.module.css'
import { Rules } from './Rules.tsx'
import type { Level, LimitedRule } from './rules.ts'
import { TryLimit } from './TryLimit.tsx'

type Shown = WebOutput<'protection'>

const refreshMs = 5_000

export function Protection() {
  return <Loaded query={useReadWith('protection', {}, refreshMs)}>{(shown) => <Page shown={shown} />}</Loaded>
}

function Page({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('protection')
  const [level, setLevel] = useState<Level>()
  const [rule, setRule] = useState<LimitedRule>()
  const hitsDay = shown.rules.reduce((sum, { hitsDay: hits }) => sum + hits, 0)
  const { stop } = shown
  return (
    <>
      <PageHead title={hitsDay === 0 ? words.noneToday : words.stoppedToday(hitsDay)} lead={words.lead}>
        {stop === null && <KillSwitch />}
      </PageHead>
      {stop !== null && <Stopped stop={stop} />}
      <Levels
        shown={shown}
        chosen={level}
        onChoose={(next) => {
          setLevel(next)
          setRule(undefined)
        }}
      />
      {level !== undefined && (
        <LevelPreview key={level} shown={shown} level={level} onClose={() => setLevel(undefined)} />
      )}
      <Rules
        shown={shown}
        chosen={rule}
        onChange={(next) => {
          setRule(next)
          setLevel(undefined)
        }}
      />
      {rule !== undefined && (
        <TryLimit key={rule} rule={rule} limit={shown.limits[rule]} onClose={() => setRule(undefined)} />
      )}
      <div className={css.two}>
        <div>
          <Blocked shown={shown} />
          <Allowed shown={shown} />
        </div>
        <div>
          <OptOuts shown={shown} />
          <Hits shown={shown} />
        </div>
      </div>
    </>
  )
}
