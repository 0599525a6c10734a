import { webPages } from '@ringproof/contract/web/pages.ts'
import type { NoticeLinks, WrittenNotice } from '../mail/notices.ts'

// Where a notice leads, and where its reader switches it off.
export function noticeLinks(publicUrl: string, kind: WrittenNotice['kind']): NoticeLinks {
  return { page: `${publicUrl}${pages[kind]}`, settings: `${publicUrl}${webPages.notices}` }
}

const pages: Readonly<Record<WrittenNotice['kind'], string>> = {
  'low-balance': webPages.balance,
  'failure-spike': webPages.statistics,
  'webhook-failing': webPages.webhooks,
  'key-unused': webPages.services,
  'new-sign-in': webPages.security,
  test: webPages.notices,
}
