import { ChevronRight, KeyRound, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { PageHead, Row } from '../../parts/text/Page.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useRead } from '../../queries.ts'
import { useFilters } from '../../shell/use-filters.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { NewService } from './NewService.tsx'
import { ServiceCard } from './ServiceCard.tsx'
import type { Service } from './service.ts'
import css from './services.module.css'
import { type ShownKey, TheKey } from './TheKey.tsx'
import { useSwitchService } from './use-switch.ts'

export function Services() {
  const words = useScreenWords('services')
  const { state } = useWords()
  const isBuilder = useIsBuilder()
  const query = useRead('services')
  // In the address, so that the palette can open the dialog.
  const [{ new: asked }, change] = useFilters()
  const setCreating = (isCreating: boolean) => change({ new: isCreating ? '1' : undefined })
  // In memory until the dialog is closed.
  const [key, setKey] = useState<ShownKey>()
  const create = (
    <Button
      look="ink"
      disabled={!isBuilder}
      title={isBuilder ? undefined : state.onlyBuilders}
      onClick={() => setCreating(true)}
    >
      <Plus size={16} />
      {words.create}
    </Button>
  )
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        {create}
      </PageHead>
      <Loaded query={query}>
        {({ services, canCreateLive }) => (
          <>
            <ServiceList services={services} onKey={setKey} create={create} />
            {asked !== undefined && (
              <NewService
                canCreateLive={canCreateLive}
                onClose={() => setCreating(false)}
                onCreated={(created) => {
                  setCreating(false)
                  setKey(created)
                }}
              />
            )}
          </>
        )}
      </Loaded>
      {key !== undefined && <TheKey shown={key} onClose={() => setKey(undefined)} />}
    </>
  )
}

function ServiceList({
  services,
  onKey,
  create,
}: {
  readonly services: readonly Service[]
  readonly onKey: (key: ShownKey) => void
  readonly create: ReactNode
}) {
  const words = useScreenWords('services')
  const current = services.filter(({ state }) => state !== 'archived')
  const archived = services.filter(({ state }) => state === 'archived')
  return (
    <>
      {current.length === 0 ? (
        <Empty icon={KeyRound} title={words.empty} text={words.emptyText}>
          {create}
        </Empty>
      ) : (
        <div className={css.grid}>
          {current.map((service) => (
            <ServiceCard key={service.id} service={service} onKey={onKey} />
          ))}
        </div>
      )}
      {archived.length > 0 && <Archived services={archived} />}
    </>
  )
}

function Archived({ services }: { readonly services: readonly Service[] }) {
  const words = useScreenWords('services')
  const isBuilder = useIsBuilder()
  const switchService = useSwitchService()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={css.archived} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={15} />
        {words.archived(services.length)}
        <small>{words.archivedNote}</small>
      </button>
      {isOpen && (
        <div className={css.archivedList}>
          {services.map((service) => (
            <Row key={service.id} title={service.name} note={service.id}>
              <Button isSmall disabled={!isBuilder} onClick={() => switchService(service, 'off')}>
                {words.restore}
              </Button>
            </Row>
          ))}
        </div>
      )}
    </>
  )
}
