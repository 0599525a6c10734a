// What the operator's payment page needs to know.

// What one payment may be, in the currency of the installation: wide enough for one whose unit is small. The page may allow less.
export const paymentLimits = { least: 10, most: 100_000_000 } as const

// Where it reports a payment.
export const paymentCallbackPath = '/payments/v1/callback'
