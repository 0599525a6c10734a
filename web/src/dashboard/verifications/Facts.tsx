import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Covered } from '../../parts/charts/Ring.tsx'
import { Facts as FactLines } from '../../parts/phone/CallDetail.tsx'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import type { Shown } from './shown.ts'

export function Facts({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('verification')
  const { mode, assurance } = useWords()
  const { factNames: names } = words
  const lines: readonly (readonly [string, ReactNode])[] = [
    [names.id, <code key="id">{shown.id}</code>],
    [names.service, shown.serviceName],
    [names.mode, mode[shown.mode]],
    [names.code, shown.isCodeHidden ? <Covered /> : shown.code],
    [
      names.confirmation,
      shown.mode === 'inbound' && shown.callerStart !== null && `${shown.callerStart}${shown.callerEnd}`,
    ],
    [assurance.name, shown.assurance !== null && assurance[shown.assurance]],
    [names.client, shown.client],
    [names.unique, shown.unique],
    [names.provider, shown.provider],
    [names.region, shown.region],
    [names.country, shown.country],
    [names.first, shown.firstId !== null && <Other id={shown.firstId} />],
    [names.repeats, shown.repeatIds.length > 0 && shown.repeatIds.map((id) => <Other key={id} id={id} />)],
  ]
  return (
    <section>
      <h2>{words.facts}</h2>
      <FactLines of={lines} />
    </section>
  )
}

function Other({ id }: { readonly id: number }) {
  const traffic = useTraffic()
  return (
    <>
      <Link to={dashboardAddress(`verifications/${id}`, traffic)}>{id}</Link>{' '}
    </>
  )
}
