import { Ellipsis } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Shape } from '../../parts/charts/Ring.tsx'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { Menu, MenuAction } from '../../parts/forms/Menu.tsx'
import { useSells } from '../../queries.ts'
import { dayMs } from '../../time.ts'
import { useScreenWords } from '../../words/words.ts'
import { EndOldKey, RevokeKey, RotateKey } from './KeyDialogs.tsx'
import type { Key, Service } from './service.ts'
import css from './services.module.css'
import type { ShownKey } from './TheKey.tsx'

type RowsProps = { readonly service: Service; readonly onKey: (key: ShownKey) => void }

export function KeyRows({ service, onKey }: RowsProps) {
  const words = useScreenWords('services')
  const formats = useFormats()
  const sells = useSells()
  const old = service.keys.find(({ isReplaced }) => isReplaced)
  return (
    <>
      <dl className={css.keys}>
        {service.keys.map((key) => (
          <KeyRow key={`${key.name} ${key.start}`} service={service} apiKey={key} onKey={onKey} />
        ))}
        {sells && service.spendDayMax !== null && (
          <Line name={words.cap}>
            <span className={css.cap}>
              <i style={{ width: `${Math.min(100, (service.spentToday / service.spendDayMax) * 100)}%` }} />
            </span>
            {words.capOf(formats.money(service.spentToday), formats.money(service.spendDayMax))}
          </Line>
        )}
        <Line name={words.last}>
          {service.lastRequestAt === null ? words.noRequest : formats.ago(service.lastRequestAt)}
        </Line>
      </dl>
      {old !== undefined && <TwoKeys service={service} old={old} />}
    </>
  )
}

function Line({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function KeyRow({ service, apiKey, onKey }: RowsProps & { readonly apiKey: Key }) {
  const words = useScreenWords('services')
  const formats = useFormats()
  const isBuilder = useIsBuilder()
  const facts = [
    apiKey.lastUsedAt === null ? words.unused : words.used(formats.ago(apiKey.lastUsedAt)),
    ...unusual(apiKey.scopes).map((scope) => words.scopes[scope]),
    ...(apiKey.validUntil === null ? [] : [words.until(formats.day(apiKey.validUntil))]),
  ]
  const name = apiKey.isReplaced ? words.keyOld(apiKey.name) : words.keyNamed(apiKey.name)
  return (
    <Line name={service.keys.length === 1 ? words.key : name}>
      <code>{`${apiKey.start}…`}</code>
      <span>
        <Shape is={apiKey.isReplaced ? 'poor' : isInUse(apiKey) ? 'well' : 'idle'} />
        {facts.join(', ')}
      </span>
      {isBuilder && service.keys.length > 1 && <KeyMenu service={service} apiKey={apiKey} onKey={onKey} />}
    </Line>
  )
}

const idleMs = 30 * dayMs

function isInUse({ lastUsedAt }: Key): boolean {
  return lastUsedAt !== null && Date.now() - lastUsedAt < idleMs
}

function KeyMenu({ service, apiKey, onKey }: RowsProps & { readonly apiKey: Key }) {
  const words = useScreenWords('services')
  const [dialog, setDialog] = useState<'rotate' | 'revoke' | 'end'>()
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu
        label={words.moreKey(apiKey.name)}
        triggerClass={buttonClass('ghost', { isSmall: true, isIcon: true })}
        trigger={<Ellipsis size={15} />}
      >
        {apiKey.isReplaced ? (
          <MenuAction onClick={() => setDialog('end')}>{words.end}</MenuAction>
        ) : (
          <>
            <MenuAction onClick={() => setDialog('rotate')}>{words.rotate}</MenuAction>
            <MenuAction onClick={() => setDialog('revoke')}>{words.revoke}</MenuAction>
          </>
        )}
      </Menu>
      {dialog === 'revoke' && <RevokeKey service={service} apiKey={apiKey} onClose={close} />}
      {dialog === 'end' && <EndOldKey service={service} apiKey={apiKey} onClose={close} />}
      {dialog === 'rotate' && (
        <RotateKey
          service={service}
          apiKey={apiKey}
          onClose={close}
          onKey={(key) => {
            close()
            onKey(key)
          }}
        />
      )}
    </>
  )
}

// After a rotation, while the old key is still valid.
function TwoKeys({ service, old }: { readonly service: Service; readonly old: Key }) {
  const words = useScreenWords('services')
  const formats = useFormats()
  const isBuilder = useIsBuilder()
  const [isEnding, setEnding] = useState(false)
  return (
    <div className={css.rotate}>
      <p>
        {old.validUntil !== null && <b>{words.rotating(formats.dayClock(old.validUntil))}</b>} {words.rotatingText}
      </p>
      {isBuilder && (
        <div>
          <Button isSmall onClick={() => setEnding(true)}>
            {words.end}
          </Button>
        </div>
      )}
      {isEnding && <EndOldKey service={service} apiKey={old} onClose={() => setEnding(false)} />}
    </div>
  )
}

// Most keys start and read, which needs no words.
function unusual(scopes: Service['keys'][number]['scopes']): Service['keys'][number]['scopes'] {
  return scopes.length === 1 ? scopes : scopes.filter((scope) => scope === 'listen')
}
