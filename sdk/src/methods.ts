// Generated from the contract by `npm run generate`. Do not edit; a test checks that it is up to date.

export type Requests = {
  initCall: {
    /** The phone number, digits only, with its country code. */
    phone: number | string
    /** The code: the last four digits of the caller ID. Chosen by the service if absent. */
    code?: string | number | undefined
    /** Your reference to the user; returned with the verification. */
    client?: string | number | undefined
    /** Idempotency key, ideally a UUID v4: the same key returns the same verification and is charged once. */
    unique?: string | number | undefined
    /** Speak the code. Russia and Kazakhstan only. */
    voice?: boolean | undefined
    /** Speak the code and show it in the caller ID. Russia only. */
    mix?: boolean | undefined
  }
  getInfo: {
    /** The vendor_id of the verification. */
    uid: number | string
  }
  initRepeat: {
    /** The vendor_id of the verification. */
    uid: number | string
  }
  inboundCallWaiting: {
    /** The phone number, digits only, with its country code. */
    phone: number | string
    /** The http or https URL that receives the webhook. */
    callback_url: string
  }
  checkPhone: {
    /** A phone number as people write it. */
    phone: string | number
  }
  getAccount: Record<string, never>
  getService: Record<string, never>
  getBalance: Record<string, never>
}

export type ApiResponses = {
  initCall: {
    /** The request succeeded. */
    status: true
    /** Identifier of the verification; `uid` in requests. */
    vendor_id: number
    /** The number, masked. */
    phone: string
    /** The code, leading zeros kept. */
    code: string
    /** As passed; empty when nothing was. */
    client: string
    /** `unique`, if it was passed. */
    unique_request_id?: string
    /** Whether the key was used before. */
    exists?: boolean
  }
  getInfo: {
    /** The request succeeded. */
    status: true
    /** Identifier of the verification; `uid` in requests. */
    vendor_id: number
    /** When the verification was started, Unix time in seconds. */
    init_time: number
    /** -1 in progress, 0 not completed, 1 succeeded. */
    call_status: -1 | 0 | 1
    /** @deprecated Whether this verification is a free repeat. */
    is_repeated: boolean
    /** @deprecated The verification that this one repeats. Only in a repeat. */
    first_vendor_id?: number
    /** @deprecated Whether a free repeat is still possible. */
    repeatable: boolean
    /** @deprecated Free repeats left. Only if `repeatable` is true. */
    repeat_times?: number
    /** @deprecated Repeats of this verification. Only if there are any. */
    repeated_vendor_ids?: number[]
    /** The idempotency key, if one was passed. */
    unique?: string
    /** As passed; empty when nothing was. */
    client: string
    /** The number, masked. */
    phone: string
    /** The code, leading zeros kept. Absent for an inbound call. */
    code?: string
    /** ISO 3166-1 alpha-2 country of the number. */
    country_code: string
    /** One object, or none if nothing is known. */
    phone_info: {
      /** Operator in the numbering registry. */
      operator?: string
      /** Region in Russia. */
      region?: string
      /** Operator the number was ported to. */
      mnp?: string
    }[]
    /** What it costs, in the currency of the installation. */
    cost: number
    /** The balance before it was charged, in the currency of the installation. */
    balance: number
  }
  initRepeat: {
    /** The request succeeded. */
    status: true
    /** Identifier of the verification; `uid` in requests. */
    vendor_id: number
    /** The number, masked. */
    phone: string
    /** The code, leading zeros kept. */
    code: string
    /** As passed; empty when nothing was. */
    client: string
    /** `unique`, if it was passed. */
    unique_request_id?: string
    /** Whether the key was used before. */
    exists?: boolean
    /** Whether the free repeat was started. */
    free_repeated: boolean
  }
  inboundCallWaiting: {
    /** The request succeeded. */
    status: true
    /** Identifier of the verification; `uid` in requests. */
    vendor_id: number
    /** The number, masked. */
    phone: string
    /** The number for the user to call. */
    confirmation_number: string
  }
  checkPhone: {
    /** As passed. */
    source: string
    /** Why this is not a phone number; nothing was charged. Absent for a valid number. */
    error?: string
    /** 1 for a mobile number, 0 for any other. */
    mobile: 0 | 1
    /** The number in E.164 digits. */
    phone: number
    /** ISO 3166-1 alpha-2. */
    country_iso: string
    /** Country calling code. */
    country_code: number
    /** Mobile network code; 0 if unknown. */
    mnc: number
    /** The number without the country code. */
    number: number
    /** Operator; empty if unknown. */
    provider: string
    /** Organisation of the operator; Russia only. */
    company: string
    /** Name of the country. */
    country: string
    /** Region; Russia only. */
    region: string
    /** City; Russia only, empty where the range belongs to a whole region. */
    city: string
    /** The number in national format. */
    phone_format: string
    /** Price of the lookup, in the currency of the installation. */
    cost: number
    /** The balance after it was charged, in the currency of the installation. */
    balance: number
  }
  getAccount: {
    /** Account ID. */
    id: number
    /** The connected Telegram account; 0 if none. */
    telegram_id: number
    /** Whether two-factor sign-in is on. */
    two_auth: boolean
    /** E-mail of the owner. */
    email: string
    /** Logged actions on the account, newest first. */
    logs: {
      /** What was done. */
      action: string
      /** The browser or program that did it. */
      user_agent: string
      /** The IP address it was done from. */
      ip: string
      /** When it was done, Unix time in seconds. */
      created: number
    }[]
    /** Last activity, Unix time in seconds. */
    updated: number
    /** When the account was created, Unix time in seconds. */
    created: number
  }
  getService: {
    /** The request succeeded. */
    status: true
    /** Service ID. */
    service_status: number
    /** Name of the service. */
    name: string
    /** When the service was created, Unix time in seconds. */
    creation_time: number
    /** When it last started or looked up something; 0 for never, Unix time in seconds. */
    last_request: number
    /** E-mail of the owner. */
    owner: string
    /** Where the service is used. */
    use_direction: string
  }
  getBalance: {
    /** The request succeeded. */
    status: true
    /** What can be spent, in the currency of the installation. */
    rub_balance: number
    /** Code of the tariff. */
    tariff: string
    /** Name of the tariff. */
    tariff_name: string
  }
}

export type Method = keyof ApiResponses
