// A service may give the id of a verification a second name. It stands among the fields of answers and requests, so it
// must be none of theirs. They are written out, because the contract's schemas take a quarter of a second to load, which
// every command of the operator's command line would wait; tests/unit/id-alias.test.ts holds them against the contract.
const takenNames = new Set(
  `action balance call_status callback_url city client code company confirmation_number cost country country_code
   country_iso created creation_time database docs email error exists first_vendor_id free_repeated id init_time ip
   is_repeated key last_request logs mix mnc mnp mobile name number operator owner phone phone_format phone_info provider
   providers region repeat_times repeatable repeated_vendor_ids rub_balance service_id service_status source status tariff
   tariff_name telegram_id two_auth uid unique unique_request_id updated use_direction user_agent vendor_id version
   voice`.split(/\s+/),
)

export function isIdAlias(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,31}$/.test(text) && !takenNames.has(text)
}
