import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useQuery } from '@tanstack/react-query'
import { useFormats } from '../../formats.ts'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { Modal } from '../../parts/forms/Modal.tsx'
import { readOptions } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'

// The bot reports to the server; the dialog asks until it has, and closes by itself.
const askEveryMs = 2_000

export type BotLink = WebOutput<'start-telegram'>

export function LinkTelegram({
  bot: { link, until },
  onClose,
}: {
  readonly bot: BotLink
  readonly onClose: () => void
}) {
  const words = useScreenWords('account')
  const { cancel } = useWords()
  const formats = useFormats()
  useQuery({ ...readOptions('security'), refetchInterval: askEveryMs })
  return (
    <Modal
      title={words.linkTitle}
      lead={words.linkLead(formats.clock(until))}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <a className={buttonClass('ink')} href={link} target="_blank" rel="noreferrer">
            {words.openBot}
          </a>
        </>
      }
    >
      <p>{words.linkWaiting}</p>
    </Modal>
  )
}
