// Protection: what the rules have blocked, their limits, a limit tried on past calls before it is set, blocked ranges, and the
// opt-out list.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import type { Said } from '../../headline.ts'
import { PageHeadline, useLost } from '../../parts/text/Headline.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { Allowed, Blocked } from './Blocked.tsx'
import { Hits } from './Hits.tsx'
import { KillSwitch, Stopped } from './KillSwitch.tsx'
import { LevelPreview, Levels } from './Levels.tsx'
import { OptOuts } from './OptOuts.tsx'
import css from './protection.module.css'
import { protectionHeadline } from './protection-headline.ts'
import { Rules } from './Rules.tsx'
import type { Level, LimitedRule } from './rules.ts'

type Shown = WebOutput<'protection'>

const refreshMs = 5_000

export function Protection() {
  const query = useReadWith('protection', {}, refreshMs)
  const lost = useLost(query)
  return <Loaded query={query}>{(shown) => <Page shown={shown} lost={lost} />}</Loaded>
}

function Page({ shown, lost }: { readonly shown: Shown; readonly lost: Said | undefined }) {
  const words = useScreenWords('protection')
  const [level, setLevel] = useState<Level>()
  const [rule, setRule] = useState<LimitedRule>()
  const { stop } = shown
  return (
    <>
      <PageHeadline headline={protectionHeadline(shown, lost, words)}>{stop === null && <KillSwitch />}</PageHeadline>
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
        onClose={() => setRule(undefined)}
      />
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
