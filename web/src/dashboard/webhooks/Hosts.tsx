import { useFormats } from '../../formats.ts'
import { Shape } from '../../parts/charts/Ring.tsx'
import { useScreenWords } from '../../words/words.ts'
import type { WebhookHost } from './webhook.ts'
import css from './webhooks.module.css'

const shownMax = 4
const leastHeight = 12

export function Hosts({ hosts }: { readonly hosts: readonly WebhookHost[] }) {
  const words = useScreenWords('webhooks')
  return (
    <section>
      <div className={css.sectionHead}>
        <h2>{words.hosts}</h2>
        <p>{words.hostsNote}</p>
      </div>
      <div className={css.hosts}>
        {hosts.slice(0, shownMax).map((host) => (
          <Host key={host.host} host={host} />
        ))}
      </div>
    </section>
  )
}

function Host({ host }: { readonly host: WebhookHost }) {
  const words = useScreenWords('webhooks')
  const formats = useFormats()
  const { recent, delivered, webhooks, medianMs, failingSince } = host
  const share = webhooks === 0 ? 0 : (delivered / webhooks) * 100
  const slowest = Math.max(1, ...recent.map(({ ms }) => ms))
  const good = recent.filter(({ isGood }) => isGood).length
  return (
    <article aria-label={host.host}>
      <header>
        <Shape is={failingSince === null ? 'well' : 'poor'} />
        <h3>{host.host}</h3>
        <span>{failingSince === null ? words.healthy : words.degraded}</span>
      </header>
      <div className={css.strip} role="img" aria-label={words.strip(host.host, good, recent.length)}>
        {recent.map(({ ms, isGood }, at) => (
          <i
            key={at}
            className={isGood ? undefined : css.no}
            // By the square root: a timeout of ten seconds leaves the others in sight.
            style={{ height: `${Math.max(leastHeight, Math.sqrt(ms / slowest) * 100)}%` }}
          />
        ))}
      </div>
      <p>
        <b>{words.percent(share === 100 ? '100' : formats.seconds(share))}</b> {words.delivered}
        <span>
          <b>{words.ms(formats.number(medianMs))}</b> {words.median}
        </span>
      </p>
    </article>
  )
}
