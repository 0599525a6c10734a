import type { WebInput } from '@ringproof/contract/web/api.ts'
import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { Ask } from '../../parts/Ask.tsx'
import { Button } from '../../parts/Button.tsx'
import { Caution } from '../../parts/Caution.tsx'
import { CopyButton, KeyLine } from '../../parts/Code.tsx'
import { Field, Select, Tick } from '../../parts/Form.tsx'
import { Modal } from '../../parts/Modal.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { useRangeText } from './ComparePeriods.tsx'
import type { Data } from './figures.ts'

type Filter = WebInput<'share-statistics'>['filter']

// A read-only link to what the page shows now.
export function Share({ data, filter }: { readonly data: Data; readonly filter: Filter }) {
  const words = useScreenWords('statistics')
  const [open, setOpen] = useState<'form' | { readonly link: string }>()
  const close = () => setOpen(undefined)
  if (!useIsBuilder()) return null
  return (
    <>
      <Button onClick={() => setOpen('form')}>
        <Share2 size={15} aria-hidden="true" />
        {words.share}
      </Button>
      {open === 'form' && <MakeLink data={data} filter={filter} onMade={(link) => setOpen({ link })} onClose={close} />}
      {typeof open === 'object' && <TheLink link={open.link} onClose={close} />}
    </>
  )
}

const dayChoices = [7, 30, 90] as const

function MakeLink({
  data,
  filter,
  onMade,
  onClose,
}: {
  readonly data: Data
  readonly filter: Filter
  readonly onMade: (link: string) => void
  readonly onClose: () => void
}) {
  const words = useScreenWords('statistics')
  const rangeText = useRangeText()
  const { mutate, isPending, error } = useChange('share-statistics', ['statistics-shares'])
  const [name, setName] = useState('')
  const [days, setDays] = useState<(typeof dayChoices)[number]>(30)
  const [hasMoney, setMoney] = useState(false)
  const make = () => mutate({ name: name.trim(), days, hasMoney, filter }, { onSuccess: ({ link }) => onMade(link) })
  return (
    <Ask
      title={words.shareTitle}
      lead={words.shareLead(rangeText(data))}
      action={words.shareAct}
      isReady={name.trim() !== ''}
      isBusy={isPending}
      error={error}
      onDo={make}
      onClose={onClose}
    >
      <Field
        label={words.shareName}
        hint={words.shareNameHint}
        isFirst
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Select
        label={words.shareDays}
        value={days}
        onChange={({ target }) => setDays(dayChoices.find((choice) => String(choice) === target.value) ?? days)}
      >
        {dayChoices.map((choice) => (
          <option key={choice} value={choice}>
            {words.daysCount(choice)}
          </option>
        ))}
      </Select>
      <Tick isOn={hasMoney} onChange={setMoney}>
        {words.shareMoney}
      </Tick>
    </Ask>
  )
}

function TheLink({ link, onClose }: { readonly link: string; readonly onClose: () => void }) {
  const words = useScreenWords('statistics')
  const { done } = useWords()
  return (
    <Modal
      title={words.shareLink}
      lead={words.shareLinkLead}
      onClose={onClose}
      foot={
        <Button look="ink" onClick={onClose}>
          {done}
        </Button>
      }
    >
      <KeyLine text={link}>
        <CopyButton text={link} autoFocus />
      </KeyLine>
      <Caution text={words.shareOnce} />
    </Modal>
  )
}
