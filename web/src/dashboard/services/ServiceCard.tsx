import { Link } from '@tanstack/react-router'
import { Ellipsis, RotateCw, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Shape, TestTag } from '../../parts/charts/Ring.tsx'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { Toggle } from '../../parts/forms/Form.tsx'
import { Menu, MenuAction } from '../../parts/forms/Menu.tsx'
import { classes } from '../../parts/text/classes.ts'
import { useSells } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'
import { AddKey } from './AddKey.tsx'
import { RotateKey } from './KeyDialogs.tsx'
import { KeyRows } from './KeyRows.tsx'
import { ArchiveService, RenameService } from './ServiceDialogs.tsx'
import type { Service } from './service.ts'
import css from './services.module.css'
import type { ShownKey } from './TheKey.tsx'
import { useSwitchService, useTestNumbers } from './use-switch.ts'

type Dialog = 'rename' | 'archive' | 'rotate' | 'add'
type CardProps = { readonly service: Service; readonly onKey: (key: ShownKey) => void }

export function ServiceCard({ service, onKey }: CardProps) {
  const words = useScreenWords('services')
  const formats = useFormats()
  const isBuilder = useIsBuilder()
  const switchService = useSwitchService()
  const isOn = service.state === 'on'
  const settingsAddress = dashboardAddress(`services/${service.id}/settings`, useTraffic())
  return (
    <article className={classes(css.card, service.isTest && css.test, !isOn && css.idle)} aria-label={service.name}>
      <header>
        <Shape is={isOn ? 'well' : 'idle'} />
        <div>
          <h2>
            <Link to={settingsAddress}>{service.name}</Link>
          </h2>
          <p>{words.id(service.id, formats.day(service.createdAt))}</p>
        </div>
        {service.isTest && <TestTag />}
        <Toggle
          label={words.isOn(service.name)}
          isOn={isOn}
          isDisabled={!isBuilder}
          onChange={(next) => switchService(service, next ? 'on' : 'off')}
        />
      </header>
      {isOn ? <Today service={service} /> : <p className={css.note}>{words.offNote}</p>}
      {service.isTest && isOn && <p className={css.note}>{words.testOnly}</p>}
      <KeyRows service={service} onKey={onKey} />
      <TestNumbersWarning service={service} />
      {service.advice !== null && (
        <div className={classes(css.rotate, css.warn)}>
          <p>
            <Shape is="poor" />
            {service.advice}
          </p>
        </div>
      )}
      {isBuilder && <Actions service={service} onKey={onKey} />}
    </article>
  )
}

function Today({ service }: { readonly service: Service }) {
  const words = useScreenWords('services')
  const formats = useFormats()
  return (
    <div className={css.now}>
      <div>
        <b>{formats.number(service.startedToday)}</b>
        <small>{words.started}</small>
      </div>
      {useSells() && (
        <div>
          <b>{formats.money(service.spentToday)}</b>
          <small>{words.spent}</small>
        </div>
      )}
    </div>
  )
}

// Real calls flow while test numbers are on.
function TestNumbersWarning({ service }: { readonly service: Service }) {
  const words = useScreenWords('services')
  const isBuilder = useIsBuilder()
  const setTestNumbers = useTestNumbers()
  if (!service.isLiveWithTestNumbers) return null
  return (
    <div className={classes(css.rotate, css.warn)}>
      <p>
        <Shape is="poor" />
        <b>{words.testOn}</b> {words.testOnText}
      </p>
      {isBuilder && (
        <div>
          <Button isSmall onClick={() => setTestNumbers(service, false)}>
            {words.testOff}
          </Button>
        </div>
      )}
    </div>
  )
}

function Actions({ service, onKey }: CardProps) {
  const words = useScreenWords('services')
  const setTestNumbers = useTestNumbers()
  const settingsAddress = dashboardAddress(`services/${service.id}/settings`, useTraffic())
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const show = (key: ShownKey) => {
    close()
    onKey(key)
  }
  const main = service.keys.find(({ isReplaced }) => !isReplaced)
  return (
    <footer>
      <Link to={settingsAddress} className={buttonClass('plain', { isSmall: true })}>
        <SlidersHorizontal size={14} />
        {words.settings}
      </Link>
      {main !== undefined && service.state === 'on' && (
        <Button isSmall onClick={() => setDialog('rotate')}>
          <RotateCw size={14} />
          {words.rotate}
        </Button>
      )}
      {service.state === 'off' && (
        <Button isSmall onClick={() => setDialog('archive')}>
          {words.archive}
        </Button>
      )}
      <Menu
        label={words.more(service.name)}
        triggerClass={buttonClass('ghost', { isSmall: true, isIcon: true })}
        trigger={<Ellipsis size={16} />}
      >
        <MenuAction onClick={() => setDialog('rename')}>{words.rename}</MenuAction>
        <MenuAction onClick={() => setDialog('add')}>{words.add}</MenuAction>
        {!service.isTest && (
          <MenuAction onClick={() => setTestNumbers(service, !service.areTestNumbersOn)}>
            {service.areTestNumbersOn ? words.testNumbersOff : words.testNumbersOn}
          </MenuAction>
        )}
        <MenuAction onClick={() => setDialog('archive')}>{words.archive}</MenuAction>
      </Menu>
      {dialog === 'rename' && <RenameService service={service} onClose={close} />}
      {dialog === 'archive' && <ArchiveService service={service} onClose={close} />}
      {dialog === 'add' && <AddKey service={service} onClose={close} onKey={show} />}
      {dialog === 'rotate' && main !== undefined && (
        <RotateKey service={service} apiKey={main} onClose={close} onKey={show} />
      )}
    </footer>
  )
}
