import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useFormats } from '../../formats.ts'
import { Shape } from '../../parts/charts/Ring.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { Row, Section } from '../../parts/text/Page.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './system.module.css'

type Examination = WebOutput<'examination'>
type Finding = Examination['findings'][number]

const shapes = { good: 'well', warning: 'poor', bad: 'down' } as const

export function Health({ examination: { at, findings } }: { readonly examination: Examination }) {
  const words = useScreenWords('system')
  const formats = useFormats()
  const client = useQueryClient()
  const good = findings.filter(({ level }) => level === 'good')
  const others = findings.filter(({ level }) => level !== 'good')
  return (
    <Section
      title={words.health}
      lead={words.healthLead(formats.moment(at))}
      action={
        <Button
          isSmall
          onClick={() => {
            Promise.all(['examination', 'setup'].map((read) => client.invalidateQueries({ queryKey: [read] }))).catch(
              () => undefined,
            )
          }}
        >
          {words.again}
        </Button>
      }
    >
      {others.map((finding) => (
        <Found key={keyOf(finding)} finding={finding} />
      ))}
      <details className={css.good} open={others.length === 0}>
        <summary>{others.length === 0 ? words.allGood(good.length) : words.goodOnes(good.length)}</summary>
        {good.map((finding) => (
          <Found key={keyOf(finding)} finding={finding} />
        ))}
      </details>
    </Section>
  )
}

// The sentences are those of the command line, in English.
function Found({ finding: { check, subject, level, cause, fix } }: { readonly finding: Finding }) {
  const words = useScreenWords('system')
  return (
    <Row
      title={
        <span className={css.check}>
          <Shape is={shapes[level]} />
          <span className="unseen">{words.levels[level]}</span>
          <span lang="en">{subject === '' ? check : `${check}, ${subject}`}</span>
        </span>
      }
      note={<span lang="en">{cause}</span>}
    >
      {fix !== null && (
        <code className={css.fix} lang="en" title={words.fix}>
          {fix}
        </code>
      )}
    </Row>
  )
}

function keyOf({ check, subject, cause }: Finding): string {
  return `${check} ${subject} ${cause}`
}
