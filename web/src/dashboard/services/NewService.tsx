import { useState } from 'react'
import { StatusShape } from '../../parts/charts/Ring.tsx'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Cards, Field, Tick } from '../../parts/forms/Form.tsx'
import { useMe } from '../../queries.ts'
import type { Traffic } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'
import { serviceReads } from '../use-create-service.ts'
import css from './services.module.css'
import type { ShownKey } from './TheKey.tsx'

export function NewService({
  canCreateLive,
  onClose,
  onCreated,
}: {
  readonly canCreateLive: boolean
  readonly onClose: () => void
  readonly onCreated: (key: ShownKey) => void
}) {
  const words = useScreenWords('services')
  const isSandbox = useTraffic() === 'test'
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Traffic>(canCreateLive && !isSandbox ? 'live' : 'test')
  const [isMoving, setMoving] = useState(false)
  return (
    <AskChange
      change="create-service"
      refreshes={serviceReads}
      input={{ name: name.trim(), isTest: kind === 'test', isMovingFromUcaller: isMoving }}
      onDone={(created) => onCreated({ ...created, title: words.ready(name.trim()) })}
      title={words.newTitle}
      lead={words.newLead}
      action={words.make}
      isReady={name.trim() !== ''}
      onClose={onClose}
    >
      <Field
        label={words.name}
        hint={words.nameHint}
        isFirst
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Cards
        label={words.kind}
        value={kind}
        onChange={setKind}
        of={[
          {
            value: 'live',
            title: words.live,
            text: canCreateLive ? words.liveText : words.liveNot,
            isDisabled: !canCreateLive,
          },
          { value: 'test', title: words.test, text: words.testText, isHatched: true },
        ]}
      />
      <div className={css.moving}>
        <Tick isOn={isMoving} onChange={setMoving}>
          <b>{words.moving}</b>
        </Tick>
        {isMoving && <Moving />}
      </div>
    </AskChange>
  )
}

const theirUrl = 'https://api.ucaller.ru/v1.0/initCall'
const credentials = 'key=…  service_id=…'

function Moving() {
  const words = useScreenWords('services')
  const { installation } = useMe()
  return (
    <div>
      <p>{words.movingText}</p>
      <div className={css.diff} role="group" aria-label={words.diff}>
        <code className={css.del}>{theirUrl}</code>
        <code className={css.add}>{`${installation.publicUrl}/v1.0/initCall`}</code>
        <code className={css.del}>{credentials}</code>
        <code className={css.add}>{credentials}</code>
      </div>
      <ul>
        {words.kept.map((line) => (
          <li key={line}>
            <StatusShape status="succeeded" />
            {line}
          </li>
        ))}
      </ul>
    </div>
  )
}
