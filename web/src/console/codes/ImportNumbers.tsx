import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { importBytesMax } from '@ringproof/contract/web/number-limits.ts'
import { type ReactNode, useState } from 'react'
import { Ask } from '../../parts/forms/Ask.tsx'
import { Area, Field, Select } from '../../parts/forms/Form.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { type CodeRow, rowText } from './code-list.ts'
import css from './codes.module.css'

type Preview = WebOutput<'preview-caller-import'>
type Trunks = WebOutput<'caller-numbers'>['trunks']

// First the list is checked and nothing changes; then the button says how many numbers it adds.
export function ImportNumbers({
  trunks,
  country: firstCountry,
  onClose,
}: {
  readonly trunks: Trunks
  readonly country: string
  readonly onClose: () => void
}) {
  const words = useScreenWords('caller-numbers')
  const [list, setList] = useState({
    trunk: trunks[0]?.name ?? '',
    country: isCountry(firstCountry) ? firstCountry : 'RU',
    text: '',
  })
  const preview = useChange('preview-caller-import')
  const save = useChange('import-caller-numbers', ['caller-numbers', 'caller-use'])
  const isReady = list.text.trim() !== '' && list.text.length <= importBytesMax && isCountry(list.country)
  const added = preview.data?.added ?? 0
  const submit = () => {
    if (preview.data === undefined) preview.mutate(list)
    else {
      save.mutate(
        { ...list, expected: added },
        {
          onSuccess: (done) => {
            onClose()
            showNotice({ text: words.imported(done.added, list.trunk) })
          },
        },
      )
    }
  }
  return (
    <Ask
      title={words.importTitle}
      lead={words.importLead}
      action={preview.data === undefined || added === 0 ? words.preview : words.importAct(added)}
      isReady={isReady && (preview.data === undefined || added > 0)}
      isBusy={preview.isPending || save.isPending}
      error={preview.error ?? save.error}
      onDo={submit}
      onClose={onClose}
    >
      <ListFields
        trunks={trunks}
        list={list}
        onChange={(next) => {
          setList(next)
          preview.reset()
          save.reset()
        }}
      />
      {preview.data && <PreviewText preview={preview.data} />}
    </Ask>
  )
}

type List = { readonly trunk: string; readonly country: string; readonly text: string }

function ListFields({
  trunks,
  list,
  onChange,
}: {
  readonly trunks: Trunks
  readonly list: List
  readonly onChange: (list: List) => void
}) {
  const words = useScreenWords('caller-numbers')
  const { trunk, country, text } = list
  return (
    <>
      <div className={css.pair}>
        <Select
          label={words.trunk}
          value={trunk}
          onChange={(name) => onChange({ ...list, trunk: name })}
          of={trunks.map(({ name, isOn }) => ({ value: name, text: isOn ? name : `${name}, ${words.off}` }))}
        />
        <Field
          label={words.countryCode}
          hint={words.countryHint}
          maxLength={2}
          value={country}
          onChange={({ target }) => onChange({ ...list, country: target.value.toUpperCase() })}
        />
      </div>
      <Area
        label={words.list}
        hint={words.listHint}
        aside={<FromFile onText={(read) => onChange({ ...list, text: read })} />}
        rows={6}
        data-first=""
        spellCheck={false}
        value={text}
        onChange={({ target }) => onChange({ ...list, text: target.value })}
      />
    </>
  )
}

function isCountry(text: string): boolean {
  return /^[A-Z]{2}$/.test(text)
}

function FromFile({ onText }: { readonly onText: (text: string) => void }) {
  const words = useScreenWords('caller-numbers')
  return (
    <label className={css.file}>
      {words.file}
      <input
        type="file"
        accept=".csv,.txt,text/plain,text/csv"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          file?.text().then(onText, () => undefined)
        }}
      />
    </label>
  )
}

function PreviewText({ preview }: { readonly preview: Preview }) {
  const words = useScreenWords('caller-numbers')
  const { added, duplicates, taken, repeated, invalid, invalidLines, gained, gainedCodes, missingAfter } = preview
  return (
    <div className={css.preview} role="status">
      <b>{added > 0 ? words.added(added) : words.nothingNew}</b>
      <ul>
        {duplicates > 0 && <li>{words.duplicates(duplicates)}</li>}
        {taken > 0 && <li className={css.warns}>{words.taken(taken)}</li>}
        {repeated > 0 && <li>{words.repeated(repeated)}</li>}
        {invalid > 0 && <li className={css.warns}>{words.invalid(invalid, shortened(invalidLines.map(String)))}</li>}
        {added > 0 && (
          <li>
            {gainedCodes > 0 ? words.gained(gainedCodes) : words.gainedNone} <CodeRows rows={gained} />
          </li>
        )}
        {added > 0 && <li>{missingAfter > 0 ? words.missingAfter(missingAfter) : words.completeAfter}</li>}
      </ul>
    </div>
  )
}

export function CodeRows({ rows }: { readonly rows: readonly CodeRow[] }): ReactNode {
  return rows.length === 0 ? null : <span className={css.digits}>{shortened(rows.map(rowText))}</span>
}

const listedMax = 12

function shortened(texts: readonly string[]): string {
  const shown = texts.slice(0, listedMax).join(', ')
  return texts.length > listedMax ? `${shown}, …` : shown
}
