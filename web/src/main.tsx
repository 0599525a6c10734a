import '../../server/assets/look/tokens.css'
import '../../server/assets/look/base.css'
import './base.css'
import type { Language } from '@ringproof/contract/lists/people.ts'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode, use, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { call } from './api.ts'
import { CurrencyContext, TimeZoneContext } from './formats.ts'
import { WithoutStyleElements } from './parts/text/WithoutStyleElements.tsx'
import { currentLanguage, setLanguage } from './preferences.ts'
import { queryClient, readOptions } from './queries.ts'
import { router } from './routes.tsx'
import { loadSameScreens, loadShellWords, type ShellWords, WordsContext } from './words/words.ts'

const language = currentLanguage()
const words = await loadShellWords(language)
const page = document.querySelector('#root')
if (page === null) throw new Error('The page has no root.')
createRoot(page).render(
  <StrictMode>
    <App first={{ language, words }} />
  </StrictMode>,
)

function App({ first }: { readonly first: { readonly language: Language; readonly words: ShellWords } }) {
  const [current, setCurrent] = useState(first)
  const choose = async (next: Language) => {
    const [nextWords] = await Promise.all([loadShellWords(next), loadSameScreens(next)])
    setLanguage(next)
    setCurrent({ language: next, words: nextWords })
    if (queryClient.getQueryData(readOptions('me').queryKey)?.stage === 'signed-in') {
      await call('set-profile', { language: next })
    }
  }
  return (
    <WithoutStyleElements>
      <QueryClientProvider client={queryClient}>
        <WordsContext value={{ ...current, choose }}>
          <WithFormats>
            <RouterProvider router={router} />
          </WithFormats>
        </WordsContext>
      </QueryClientProvider>
    </WithoutStyleElements>
  )
}

// Amounts are in the currency of the installation. Times are shown in the account's zone, before sign-in in the browser's.
function WithFormats({ children }: { readonly children: ReactNode }) {
  const { data } = useQuery({ ...readOptions('me'), enabled: false })
  const zone = data?.account?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <CurrencyContext value={data?.installation.currency ?? use(CurrencyContext)}>
      <TimeZoneContext value={zone}>{children}</TimeZoneContext>
    </CurrencyContext>
  )
}
