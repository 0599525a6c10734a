// What the last import, update or rollback changed, and what rolling back would change.

import { useEffect } from 'react'
import { useFormats } from '../../formats.ts'
import { spacedRange } from '../../parts/phone/phone-number.ts'
import { Row, Section } from '../../parts/text/Page.tsx'
import { Loaded, Loading } from '../../parts/text/State.tsx'
import { useRead } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './registries.module.css'
import { type Change, type Diff, examplesOf, reverse } from './shown.ts'

export function Changes({ version }: { readonly version: string }) {
  const words = useScreenWords('registries')
  const query = useDiff(version)
  const shown = query.data?.state === 'here' && query.data.to === version ? query.data : undefined
  const lead = shown && words.changedLead(shown.from || words.nothing, shown.to || words.nothing)
  return (
    <Section title={words.changed} lead={lead ?? words.changedRule}>
      <Loaded query={query}>{(diff) => <Difference diff={diff} version={version} />}</Loaded>
    </Section>
  )
}

export function ReverseChanges({ version }: { readonly version: string }) {
  const words = useScreenWords('registries')
  return (
    <section className={css.reverse} aria-label={words.backChanges}>
      <small>{words.backChanges}</small>
      <Loaded query={useDiff(version)}>{(diff) => <Difference diff={reverse(diff)} version={version} isBack />}</Loaded>
    </section>
  )
}

// Read again when another version has come into use.
function useDiff(version: string) {
  const query = useRead('registry-diff')
  const { data, refetch } = query
  const isOld = data !== undefined && data.state !== 'unreadable' && data.to !== version
  useEffect(() => {
    if (isOld) refetch().catch(() => undefined)
  }, [isOld, refetch])
  return query
}

function Difference({
  diff,
  version,
  isBack = false,
}: {
  readonly diff: Diff
  readonly version: string
  readonly isBack?: boolean
}) {
  const words = useScreenWords('registries')
  if (diff.state === 'unreadable') return <Row title={words.noDiff} note={words.noDiffText} />
  if ((isBack ? diff.from : diff.to) !== version) return <Loading />
  return (
    <>
      {diff.registries.length === 0 && diff.ported === null && <Row title={words.sameFiles} />}
      {diff.registries.map((one) => (
        <Kind key={one.kind} of={one} />
      ))}
      {diff.ported !== null && <Ported {...diff.ported} />}
    </>
  )
}

function Ported({ before, after }: NonNullable<Diff['ported']>) {
  const words = useScreenWords('registries')
  const text = ({ numbers, changes }: typeof before) =>
    changes === 0 ? words.portedCount(numbers) : `${words.portedCount(numbers)} + ${words.changeCount(changes)}`
  return <Row title={words.ported} note={words.portedChange(text(before), text(after))} />
}

function Kind({ of }: { readonly of: Diff['registries'][number] }) {
  const words = useScreenWords('registries')
  const { added, removed, changedOwner } = of
  const sums = [
    ...(added.ranges > 0 ? [words.added(added.ranges, added.numbers)] : []),
    ...(removed.ranges > 0 ? [words.removed(removed.ranges, removed.numbers)] : []),
    ...(changedOwner.ranges > 0 ? [words.moved(changedOwner.ranges, changedOwner.numbers)] : []),
  ]
  const examples = examplesOf(of)
  return (
    <div className={css.kind}>
      <Row title={of.kind} note={sums.length === 0 ? words.onlyPlaces : sums.join('; ')} />
      {examples.length > 0 && (
        <ul className={css.examples} aria-label={words.largest(of.kind)}>
          {examples.map((one) => (
            <Example key={`${one.first} ${one.what}`} one={one} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Example({ one }: { readonly one: Change }) {
  const words = useScreenWords('registries')
  const formats = useFormats()
  const texts = {
    added: words.assigned(one.after),
    removed: words.withdrawn(one.before),
    moved: words.movedTo(one.before, one.after),
  }
  return (
    <li>
      <span className={css.range}>{spacedRange(withCountry(one))}</span>
      <span className={css[one.what]}>{texts[one.what]}</span>
      <span className={css.count}>{formats.number(one.last - one.first + 1)}</span>
    </li>
  )
}

// The registry is Russia's.
function withCountry({ first, last }: Change): { readonly first: number; readonly last: number } {
  return { first: 70_000_000_000 + first, last: 70_000_000_000 + last }
}
