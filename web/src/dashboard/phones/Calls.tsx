import { PhoneIncoming } from 'lucide-react'
import type { ReactNode } from 'react'
import { useIsBuilder } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Lanes, SmallLanes } from '../../parts/charts/Lanes.tsx'
import { Chip } from '../../parts/charts/Ring.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { RunMistake } from '../../parts/forms/RunMistake.tsx'
import { isOpen, outcomeSentence, type PhoneCall, statusOf } from '../../parts/phone/call-status.ts'
import { Empty } from '../../parts/text/State.tsx'
import { useNow } from '../../parts/text/use-now.ts'
import { useChange, useSells } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { callEvents } from './call-events.ts'
import type { Phone } from './phone.ts'
import css from './phones.module.css'
import { useCallerService } from './use-caller-service.ts'

const earlierMax = 6
const frameMs = 200

// The last call of the chosen phone, on four lanes.
export function OneCall({ call, phone }: { readonly call: PhoneCall | undefined; readonly phone: Phone }) {
  const words = useScreenWords('phones')
  if (call === undefined) return <Empty icon={PhoneIncoming} title={words.empty} text={words.emptyText} />
  return (
    <>
      <div className={css.callHead}>
        <h2>{words.axis}</h2>
        <Chip status={statusOf(call)} />
      </div>
      <Explanation call={call} />
      {isOpen(call) ? <MovingLanes call={call} phone={phone} /> : <StillLanes call={call} phone={phone} />}
    </>
  )
}

function Explanation({ call }: { readonly call: PhoneCall }) {
  const words = useScreenWords('phones')
  const shell = useWords()
  if (call.state === 'waiting' && call.confirmationNumber !== null) {
    return <p>{words.inboundHint(call.confirmationNumber)}</p>
  }
  return <p>{isOpen(call) ? words.axisNote : outcomeSentence(call, shell)}</p>
}

type LaneProps = { readonly call: PhoneCall; readonly phone: Phone }

function MovingLanes({ call, phone }: LaneProps) {
  const nowMs = useNow(frameMs) - call.startedAt
  // The browser's clock may be behind the server's.
  const latestMs = Math.max(nowMs, call.dialledMs ?? 0, call.rangMs ?? 0, call.answeredMs ?? 0)
  return <CallLanes call={call} phone={phone} nowMs={latestMs} isMoving />
}

function StillLanes({ call, phone }: LaneProps) {
  return <CallLanes call={call} phone={phone} nowMs={call.endedMs ?? 0} isMoving={false} />
}

function CallLanes({
  call,
  phone,
  nowMs,
  isMoving,
}: LaneProps & { readonly nowMs: number; readonly isMoving: boolean }) {
  const words = useScreenWords('phones')
  const formats = useFormats()
  return (
    <Lanes
      events={callEvents(call, words.events, formats, nowMs)}
      names={useLaneNames()}
      notes={words.laneNotes}
      now={isMoving ? nowMs / 1000 : undefined}
      nowName={words.now}
      said={call.webhooks.length === 0 ? { webhook: <NoWebhook call={call} phone={phone} /> } : {}}
    />
  )
}

// Test calls show what a real one would cost, where calls are sold.
function useLaneNames() {
  const { money, ...others } = useScreenWords('phones').lanes
  return useSells() ? { ...others, money } : others
}

// An empty lane says why, and offers the way.
function NoWebhook({ call, phone }: LaneProps): ReactNode {
  const words = useScreenWords('phones')
  const isBuilder = useIsBuilder()
  const serviceId = useCallerService(phone.number)
  const { mutate, isPending, data: run, error } = useChange('run-here', ['phones', 'start'])
  if (call.mode === 'inbound') return words.webhookLater
  return (
    <>
      {words.noWebhook}
      {typeof serviceId === 'number' && isBuilder && (
        <Button
          isSmall
          disabled={isPending}
          onClick={() => mutate({ serviceId, method: 'inboundCallWaiting', phone: phone.number, mode: 'flash' })}
        >
          {words.tryInbound}
        </Button>
      )}
      <RunMistake run={run} error={error} />
    </>
  )
}

export function Earlier({ calls }: { readonly calls: readonly PhoneCall[] }) {
  const words = useScreenWords('phones')
  const shell = useWords()
  const laneNames = useLaneNames()
  const formats = useFormats()
  const ended = calls.filter((call) => !isOpen(call)).slice(0, earlierMax)
  if (ended.length === 0) return null
  return (
    <section className={css.earlier}>
      <h2>{words.earlier}</h2>
      <div className={css.past}>
        {ended.map((call) => (
          <article key={call.id}>
            <header>
              <h3>
                {shell.mode[call.mode]}. {outcomeSentence(call, shell)}
              </h3>
              <time>{formats.clock(call.startedAt)}</time>
              <Chip status={statusOf(call)} />
            </header>
            <SmallLanes events={callEvents(call, words.events, formats, call.endedMs ?? 0)} names={laneNames} />
          </article>
        ))}
      </div>
    </section>
  )
}
