import { PageHead } from '../../parts/text/Page.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useMe, useRead } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { Health } from './Health.tsx'
import { InstallationForm } from './InstallationForm.tsx'
import { Operators } from './Operators.tsx'
import { PaymentPage } from './PaymentPage.tsx'
import { Seller } from './Seller.tsx'
import { Setup } from './Setup.tsx'
import { SupportBundle } from './SupportBundle.tsx'

export function System() {
  const words = useScreenWords('system')
  const { installation } = useMe()
  return (
    <>
      <PageHead title={words.title} lead={words.lead(installation.version)}>
        <SupportBundle />
      </PageHead>
      <Loaded query={useRead('setup')}>{(setup) => <Setup setup={setup} />}</Loaded>
      <Loaded query={useRead('examination')}>{(examination) => <Health examination={examination} />}</Loaded>
      <Loaded query={useRead('installation')}>{(settings) => <InstallationForm settings={settings} />}</Loaded>
      <Loaded query={useRead('payment-settings')}>
        {(settings) => (
          <>
            <PaymentPage settings={settings} />
            <Seller seller={settings.seller} />
          </>
        )}
      </Loaded>
      <Loaded query={useRead('operators')}>{({ operators }) => <Operators operators={operators} />}</Loaded>
    </>
  )
}
