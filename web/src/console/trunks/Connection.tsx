import { callerIdHeaders, numberFormats, sipTransports } from '@ringproof/contract/lists/trunks.ts'
import type { WebInput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { AskChange } from '../../parts/AskChange.tsx'
import { Field, Select, Tick } from '../../parts/Form.tsx'
import { useScreenWords, useWords } from '../../words/words.ts'
import { isHost, isSipUser } from './carrier-fields.ts'
import type { ShownTrunk } from './trunk.ts'

export function Connection({ trunk, onClose }: { readonly trunk: ShownTrunk; readonly onClose: () => void }) {
  const words = useScreenWords('trunks')
  const { save } = useWords()
  const [edited, setEdited] = useState<Edited>({
    name: trunk.name,
    address: trunk.address,
    transport: trunk.transport,
    user: trunk.user ?? '',
    password: '',
    isRegistering: trunk.registers,
    calledFormat: trunk.calledFormat,
    callerFormat: trunk.callerFormat,
    callerIdHeader: trunk.callerIdHeader,
  })
  const change = (changes: Partial<Edited>) => setEdited({ ...edited, ...changes })
  return (
    <AskChange
      change="set-trunk"
      refreshes={['trunks', 'trunk-log']}
      input={edited}
      notice={words.connectionSaved}
      title={words.edit}
      action={save}
      isReady={isHost(edited.address) && isSipUser(edited.user)}
      onClose={onClose}
    >
      <Peer trunk={trunk} edited={edited} change={change} />
      <Formats edited={edited} change={change} />
    </AskChange>
  )
}

type Edited = WebInput<'set-trunk'>
type Part = { readonly edited: Edited; readonly change: (changes: Partial<Edited>) => void }

function Peer({ trunk, edited, change }: Part & { readonly trunk: ShownTrunk }) {
  const words = useScreenWords('trunks')
  return (
    <>
      <Field
        label={words.host}
        hint={words.hostHint}
        error={isHost(edited.address) ? undefined : words.badHost}
        isFirst
        value={edited.address}
        onChange={(event) => change({ address: event.target.value.trim() })}
      />
      <Select
        label={words.transport}
        value={edited.transport}
        onChange={(transport) => change({ transport })}
        of={sipTransports.map((value) => ({ value, text: value.toUpperCase() }))}
      />
      <Field
        label={words.user}
        hint={words.userHint}
        error={isSipUser(edited.user) ? undefined : words.badUser}
        autoComplete="off"
        value={edited.user}
        onChange={(event) => change({ user: event.target.value.trim() })}
      />
      <Field
        label={words.password}
        hint={trunk.hasPassword ? words.passwordKept : undefined}
        isSecret
        autoComplete="new-password"
        maxLength={200}
        value={edited.password}
        onChange={(event) => change({ password: event.target.value })}
      />
      <Tick isOn={edited.isRegistering} onChange={(isRegistering) => change({ isRegistering })}>
        {words.register}
      </Tick>
    </>
  )
}

function Formats({ edited, change }: Part) {
  const words = useScreenWords('trunks')
  return (
    <>
      <FormatSelect
        label={words.callerFormat}
        value={edited.callerFormat}
        onChange={(callerFormat) => change({ callerFormat })}
      />
      <FormatSelect
        label={words.calledFormat}
        value={edited.calledFormat}
        onChange={(calledFormat) => change({ calledFormat })}
      />
      <Select
        label={words.callerIdHeader}
        value={edited.callerIdHeader}
        onChange={(callerIdHeader) => change({ callerIdHeader })}
        of={callerIdHeaders.map((value) => ({ value, text: words.callerIds[value] }))}
      />
    </>
  )
}

type Format = ShownTrunk['callerFormat']

export function FormatSelect({
  label,
  hint,
  value,
  onChange,
}: {
  readonly label: string
  readonly hint?: string
  readonly value: Format
  readonly onChange: (format: Format) => void
}) {
  const words = useScreenWords('trunks')
  return (
    <Select
      label={label}
      hint={hint}
      value={value}
      onChange={onChange}
      of={numberFormats.map((format) => ({ value: format, text: words.formats[format] }))}
    />
  )
}
