// The pages that e-mails, the CLI and redirects lead to. A token follows in the fragment, `#token=…`: a browser does not send
// the fragment, so no log contains it.

export const webPages = {
  signIn: '/dashboard/sign-in',
  confirmEmail: '/dashboard/confirm',
  resetPassword: '/dashboard/reset',
  acceptInvitation: '/dashboard/invitation',
  security: '/dashboard/account/security',
  balance: '/dashboard/balance',
  statistics: '/dashboard/statistics',
  webhooks: '/dashboard/webhooks',
  services: '/dashboard/services',
  notices: '/dashboard/notices',
} as const
