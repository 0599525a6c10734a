import { ArrowDown, ArrowUp } from 'lucide-react'
import { useIsAdmin } from '../../access.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { Row, Section } from '../../parts/text/Page.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './trunks.module.css'

// Which trunk a call is tried over first, and over which when that one refuses it before ringing.
export function Order({ names }: { readonly names: readonly string[] }) {
  const words = useScreenWords('trunks')
  const isAdmin = useIsAdmin()
  const change = useChange('order-trunks', ['trunks'])
  const move = (name: string, to: number) => {
    const rest = names.filter((one) => one !== name)
    change.mutate({ names: [...rest.slice(0, to), name, ...rest.slice(to)] })
  }
  return (
    <Section title={words.order} lead={words.orderLead}>
      {names.map((name, at) => (
        <Row key={name} title={`${at + 1}. ${name}`}>
          <span className={css.order}>
            <Button
              isSmall
              isIcon
              look="ghost"
              aria-label={words.up(name)}
              disabled={!isAdmin || at === 0 || change.isPending}
              onClick={() => move(name, at - 1)}
            >
              <ArrowUp size={14} />
            </Button>
            <Button
              isSmall
              isIcon
              look="ghost"
              aria-label={words.down(name)}
              disabled={!isAdmin || at === names.length - 1 || change.isPending}
              onClick={() => move(name, at + 1)}
            >
              <ArrowDown size={14} />
            </Button>
          </span>
        </Row>
      ))}
      <Mistake error={change.error} />
    </Section>
  )
}
