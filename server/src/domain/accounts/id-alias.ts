// A service may choose a second name for the verification ID. It appears among the fields of requests and responses, so it
// must not be one of theirs. The names are listed here because loading the contract's schemas takes 250 ms, which would
// slow down every CLI command; tests/unit/id-alias.test.ts compares them with the contract.
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
