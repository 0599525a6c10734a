import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { ReactNode } from 'react'
import { useFormats } from '../../formats.ts'
import { useSwitchOverSentence } from '../../parts/tables/SwitchOvers.tsx'
import { classes } from '../../parts/text/classes.ts'
import { useSells } from '../../queries.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'
import css from './routing.module.css'

type Said = WebOutput<'explain-route'>

// Every step from the number to the price, each with its reason.
export function Decision({ said, code }: { readonly said: Said; readonly code: string }) {
  const words = useScreenWords('routing')
  const shell = useWords()
  const { language } = useLanguage()
  const sells = useSells()
  const formats = useFormats()
  const country = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })
  const rulesIn = (state: Said['rules'][number]['state']) =>
    said.rules
      .filter((rule) => rule.state === state)
      .map(({ rule }) => words.rules[rule])
      .join(', ')
  const says = useSwitchOverSentence()
  const first = said.trunks.find(({ part }) => part === 'tried')?.name
  const [passed, notTested] = [rulesIn('passed'), rulesIn('not-tested')]
  const callerWhy = said.mode === 'voice' ? words.callerVoiceWhy : code === '' ? words.callerAnyWhy : words.callerWhy
  return (
    <section>
      <h2 className={css.sub}>{words.how}</h2>
      <ol className={css.steps}>
        <Step
          name={words.steps.number}
          value={
            said.isValid ? `${country.of(said.country) ?? said.country}, ${words.kinds[said.kind]}` : words.invalid
          }
          isBad={!said.isValid}
        />
        <Step
          name={words.steps.provider}
          value={[said.provider || words.unknownProvider, said.region].filter(Boolean).join(', ')}
          why={
            said.provider === '' ? words.noRegistry : said.isPorted ? words.ported(said.assignedTo) : words.notPorted
          }
        />
        <Step
          name={words.steps.allowed}
          value={said.refusal ? `${words.no}: ${said.refusal.sentence[language]}` : words.yes}
          why={[passed && words.passed(passed), notTested && words.notTested(notTested)].filter(Boolean).join(' ')}
          isBad={said.refusal !== null}
        />
        {said.trunks.length > 0 && (
          <Step
            name={words.steps.trunk}
            value={first ?? words.noTrunk}
            why={said.switchOver ? `${says(said.switchOver)}.` : ''}
            isBad={first === undefined}
          >
            <Trunks said={said} />
          </Step>
        )}
        {said.callerNumber !== null && !said.isTest && (
          <Step name={words.steps.caller} value={said.callerNumber} why={callerWhy} />
        )}
        {sells && (
          <Step
            name={words.steps.price}
            value={said.price === null ? words.noPrice : formats.price(said.price)}
            why={`${said.tariff}, ${shell.mode[said.mode].toLowerCase()}`}
          />
        )}
      </ol>
    </section>
  )
}

function Trunks({ said: { trunks, trunk, switchOver } }: { readonly said: Said }) {
  const words = useScreenWords('routing')
  const chosen = switchOver ? 'switched' : trunks.length === 1 ? 'only' : 'chosen'
  const partOf = ({ name, part }: Said['trunks'][number], index: number) => {
    if (name === trunk) return chosen
    if (index === 0 && part === 'tried') return 'would'
    return name === switchOver?.from ? 'left' : part
  }
  return (
    <table className={css.trunks}>
      <caption className="unseen">{words.order}</caption>
      <thead className="unseen">
        <tr>
          <th scope="col">{words.heads.trunk}</th>
          <th scope="col">{words.heads.why}</th>
          <th scope="col">{words.heads.priority}</th>
        </tr>
      </thead>
      <tbody>
        {trunks.map(({ name, part, priority }, index) => (
          <tr key={name} className={classes(name === trunk && css.chosen, part !== 'tried' && css.out)}>
            <th scope="row">{name}</th>
            <td className={css.reason}>{words.parts[partOf({ name, part, priority }, index)]}</td>
            <td>{priority}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Step({
  name,
  value,
  why = '',
  isBad = false,
  children,
}: {
  readonly name: string
  readonly value: string
  readonly why?: string
  readonly isBad?: boolean
  readonly children?: ReactNode
}) {
  return (
    <li className={classes(isBad && css.bad)}>
      <span className={css.name}>{name}</span>
      <i aria-hidden="true" />
      <div>
        <b>{value}</b>
        {why !== '' && <p>{why}</p>}
        {children !== undefined && <div className={css.more}>{children}</div>}
      </div>
    </li>
  )
}
