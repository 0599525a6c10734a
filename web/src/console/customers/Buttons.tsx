// What an operator can do with a customer. Support does everything but money.

import { Ban, Eye, Wallet } from 'lucide-react'
import { useState } from 'react'
import { useIsHelper } from '../../access.ts'
import { AdminButton } from '../../parts/forms/AdminButton.tsx'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { AskWhy } from '../../parts/forms/AskWhy.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { Select } from '../../parts/forms/Form.tsx'
import { useScreenWords, useWords } from '../../words/words.ts'
import type { ShownCustomer } from './customer.ts'
import css from './customers.module.css'
import { MoveMoney } from './MoveMoney.tsx'

type Props = { readonly customer: ShownCustomer; readonly onClose: () => void }

export function Buttons({ customer }: { readonly customer: ShownCustomer }) {
  const words = useScreenWords('customers')
  const { state } = useWords()
  const isHelper = useIsHelper()
  const [open, setOpen] = useState<'money' | 'block' | 'view'>()
  const close = () => setOpen(undefined)
  const helpers = { disabled: !isHelper, title: isHelper ? undefined : state.onlyHelpers }
  return (
    <div className={css.buttons}>
      <AdminButton look="ink" onClick={() => setOpen('money')}>
        <Wallet size={15} aria-hidden="true" />
        {words.money}
      </AdminButton>
      <Button {...helpers} onClick={() => setOpen('view')}>
        <Eye size={15} aria-hidden="true" />
        {words.view}
        <small>{words.viewNote}</small>
      </Button>
      {customer.state !== 'closed' && (
        <Button look="ghost" {...helpers} onClick={() => setOpen('block')}>
          <Ban size={15} aria-hidden="true" />
          {customer.state === 'blocked' ? words.unblock : words.block}
        </Button>
      )}
      {open === 'money' && <MoveMoney customer={customer} onClose={close} />}
      {open === 'block' && <Block customer={customer} onClose={close} />}
      {open === 'view' && <View customer={customer} onClose={close} />}
    </div>
  )
}

function Block({ customer: { id, name, state }, onClose }: Props) {
  const words = useScreenWords('customers')
  const isBlocked = state === 'blocked'
  return (
    <AskWhy
      change="block-customer"
      refreshes={['customer', 'customers']}
      input={(reason) => ({ accountId: id, isBlocked: !isBlocked, reason })}
      notice={isBlocked ? words.unblocked(name) : words.blocked(name)}
      title={isBlocked ? words.unblockTitle(name) : words.blockTitle(name)}
      lead={isBlocked ? words.unblockText : words.blockText}
      action={isBlocked ? words.unblock : words.block}
      isDangerous={!isBlocked}
      label={words.why}
      hint={words.whyHint}
      onClose={onClose}
    />
  )
}

// The page loads anew: everything on it will belong to the customer.
function View({ customer: { id, name }, onClose }: Props) {
  const words = useScreenWords('customers')
  return (
    <AskWhy
      change="view-customer"
      input={(reason) => ({ accountId: id, reason })}
      onDone={() => location.assign('/dashboard/overview')}
      title={words.viewTitle(name)}
      lead={words.viewText}
      action={words.viewAct}
      label={words.why}
      hint={words.whyHint}
      onClose={onClose}
    />
  )
}

export function TariffButton({ customer }: { readonly customer: ShownCustomer }) {
  const words = useScreenWords('customers')
  const [isOpen, setOpen] = useState(false)
  if (customer.tariffs.length < 2) return null
  return (
    <>
      <AdminButton isSmall aria-label={words.changeTariff} onClick={() => setOpen(true)}>
        {words.change}
      </AdminButton>
      {isOpen && <Tariff customer={customer} onClose={() => setOpen(false)} />}
    </>
  )
}

function Tariff({ customer: { id, name, tariff, tariffs }, onClose }: Props) {
  const words = useScreenWords('customers')
  const { save } = useWords()
  const [chosen, setChosen] = useState(tariff)
  return (
    <AskChange
      change="set-customer-tariff"
      refreshes={['customer', 'customers']}
      input={{ accountId: id, tariff: chosen }}
      notice={words.tariffSaved}
      title={words.tariffTitle(name)}
      lead={words.tariffText}
      action={save}
      isReady={chosen !== tariff}
      onClose={onClose}
    >
      <Select
        label={words.tariff}
        value={chosen}
        onChange={setChosen}
        of={tariffs.map(({ code, name: text }) => ({ value: code, text }))}
      />
    </AskChange>
  )
}
