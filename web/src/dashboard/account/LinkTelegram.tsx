import { useQuery } from '@tanstack/react-query'
import { call } from '../../api.ts'
import { useFormats } from '../../formats.ts'
import { Button, buttonClass } from '../../parts/Button.tsx'
import { Modal } from '../../parts/Modal.tsx'
import { Loading, Mistake } from '../../parts/State.tsx'
import { readOptions } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'

// The bot reports to the server; the dialog asks until it has, and closes by itself.
const askEveryMs = 2_000

export function LinkTelegram({ onClose }: { readonly onClose: () => void }) {
  const words = useScreenWords('account')
  const { cancel } = useWords()
  const formats = useFormats()
  const { data, error } = useQuery({
    queryKey: ['start-telegram'],
    queryFn: () => call('start-telegram', {}),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  useQuery({ ...readOptions('security'), refetchInterval: askEveryMs })
  return (
    <Modal
      title={words.linkTitle}
      lead={data === undefined ? undefined : words.linkLead(formats.clock(data.until))}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          {data !== undefined && (
            <a className={buttonClass('ink')} href={data.link} target="_blank" rel="noreferrer">
              {words.openBot}
            </a>
          )}
        </>
      }
    >
      {data === undefined && error === null ? <Loading /> : <p>{words.linkWaiting}</p>}
      <Mistake error={error} />
    </Modal>
  )
}
