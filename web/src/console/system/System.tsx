// The installation itself, in tabs; each has its address.

import type { ReactNode } from 'react'
import { PageHead } from '../../parts/text/Page.tsx'
import { PageTabs } from '../../parts/text/PageTabs.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useMe, useRead, useSells } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { Health } from './Health.tsx'
import { InstallationForm } from './InstallationForm.tsx'
import { Operators } from './Operators.tsx'
import { PaymentPage } from './PaymentPage.tsx'
import { Seller } from './Seller.tsx'
import { Setup } from './Setup.tsx'
import { SupportBundle } from './SupportBundle.tsx'

const tabs = [
  ['setup', ''],
  ['health', '/health'],
  ['company', '/company'],
  ['payments', '/payments'],
  ['operators', '/operators'],
] as const

function Frame({ children }: { readonly children: ReactNode }) {
  const words = useScreenWords('system')
  const { installation } = useMe()
  const sells = useSells()
  return (
    <>
      <PageHead title={words.title} lead={words.lead(installation.version)}>
        <SupportBundle />
      </PageHead>
      <PageTabs
        label={words.tabsLabel}
        of={tabs
          .filter(([tab]) => sells || tab !== 'payments')
          .map(([tab, path]) => ({ to: `/console/system${path}`, text: words.tabs[tab] }))}
      />
      {children}
    </>
  )
}

export function SystemSetup() {
  return (
    <Frame>
      <Loaded query={useRead('setup')}>{(setup) => <Setup setup={setup} />}</Loaded>
    </Frame>
  )
}

export function SystemHealth() {
  return (
    <Frame>
      <Loaded query={useRead('examination')}>{(examination) => <Health examination={examination} />}</Loaded>
    </Frame>
  )
}

export function SystemCompany() {
  return (
    <Frame>
      <Loaded query={useRead('installation')}>{(settings) => <InstallationForm settings={settings} />}</Loaded>
      {useSells() && <SellerSection />}
    </Frame>
  )
}

function SellerSection() {
  return <Loaded query={useRead('payment-settings')}>{({ seller }) => <Seller seller={seller} />}</Loaded>
}

export function SystemPayments() {
  return (
    <Frame>
      <Loaded query={useRead('payment-settings')}>{(settings) => <PaymentPage settings={settings} />}</Loaded>
    </Frame>
  )
}

export function SystemOperators() {
  return (
    <Frame>
      <Loaded query={useRead('operators')}>{({ operators }) => <Operators operators={operators} />}</Loaded>
    </Frame>
  )
}
