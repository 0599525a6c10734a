// Made from the contract by `npm run generate`, and held to it by a test: not to be edited here.

export type Requests = {
  initCall: {
    /** The phone number, digits only, with its country code. */
    phone: number | string
    /** The four digits that the calling number shall end with; made by the service when absent. */
    code?: string | number | undefined
    /** Your own word about the user, to find the verification by. */
    client?: string | number | undefined
    /** Idempotency key, best a UUID v4: the same key gives the same verification and is charged once. */
    unique?: string | number | undefined
    /** Speak the code. In Russia and Kazakhstan. */
    voice?: boolean | undefined
    /** Speak the code and end the calling number with it. In Russia. */
    mix?: boolean | undefined
  }
  getInfo: {
    /** The vendor_id that the verification was started with. */
    uid: number | string
  }
  initRepeat: {
    /** The vendor_id that the verification was started with. */
    uid: number | string
  }
  inboundCallWaiting: {
    /** The phone number, digits only, with its country code. */
    phone: number | string
    /** Where the webhook goes when the call arrives: http or https. */
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
    /** `unique`, when it was passed. */
    unique_request_id?: string
    /** Whether the key had been used before. */
    exists?: boolean
  }
  getInfo: {
    /** The request succeeded. */
    status: true
    /** Identifier of the verification; `uid` in requests. */
    vendor_id: number
    /** When the verification was started, Unix time in seconds. */
    init_time: number
    /** -1 being checked, 0 not completed, 1 made. */
    call_status: -1 | 0 | 1
    /** @deprecated */
    is_repeated: boolean
    /** @deprecated */
    first_vendor_id?: number
    /** @deprecated */
    repeatable: boolean
    /** @deprecated */
    repeat_times?: number
    /** @deprecated */
    repeated_vendor_ids?: number[]
    /** The idempotency key, when one was passed. */
    unique?: string
    /** As passed; empty when nothing was. */
    client: string
    /** The number, masked. */
    phone: string
    /** Absent for an inbound call. */
    code?: string
    /** ISO code of the country of the number. */
    country_code: string
    /** One object, or none when nothing is known. */
    phone_info: {
      /** Operator by the numbering registry. */
      operator?: string
      /** Region in Russia. */
      region?: string
      /** Operator the number was ported to. */
      mnp?: string
    }[]
    /** What it costs, in roubles. */
    cost: number
    /** The balance before it was charged, in roubles. */
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
    /** `unique`, when it was passed. */
    unique_request_id?: string
    /** Whether the key had been used before. */
    exists?: boolean
    free_repeated: boolean
  }
  inboundCallWaiting: {
    /** The request succeeded. */
    status: true
    /** Identifier of the verification; `uid` in requests. */
    vendor_id: number
    /** The number, masked. */
    phone: string
    /** The number the user must call. */
    confirmation_number: string
  }
  checkPhone:
    | {
        /** As passed. */
        source: string
        mobile: 0 | 1
        /** The number in E.164 digits. */
        phone: number
        /** ISO 3166-1 alpha-2. */
        country_iso: string
        /** Calling code of the country. */
        country_code: number
        /** Mobile network code. */
        mnc?: number
        /** The number without the country code. */
        number: number
        /** Operator. */
        provider?: string
        /** Organisation of the operator; Russia only. */
        company?: string
        /** Name of the country. */
        country: string
        /** Russia only. */
        region?: string
        /** Russia only. */
        city?: string
        /** The number in national format. */
        phone_format: string
        /** What the look-up cost, in roubles. */
        cost: number
        /** The balance after it was charged, in roubles. */
        balance: number
      }
    | {
        /** As passed. */
        source: string
        /** Why this is no phone number. */
        error: string
        cost: 0
        /** The balance, in roubles. */
        balance: number
      }
  getAccount: {
    /** Number of the account. */
    id: number
    /** The connected messenger account; 0 when none is. */
    telegram_id: number
    /** Whether signing in needs the messenger, too. */
    two_auth: boolean
    email: string
    /** What was done to the account, newest first. */
    logs: {
      action: string
      user_agent: string
      ip: string
      /** When it was done, Unix time in seconds. */
      created: number
    }[]
    /** Last activity, Unix time in seconds. */
    updated: number
    /** When the account was made, Unix time in seconds. */
    created: number
  }
  getService: {
    /** The request succeeded. */
    status: true
    /** Number of the service. */
    service_status: number
    name: string
    /** When the service was made, Unix time in seconds. */
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
    /** What can be spent, in roubles. */
    rub_balance: number
    /** Code of the tariff. */
    tariff: string
    /** Name of the tariff. */
    tariff_name: string
  }
}

export type Method = keyof ApiResponses

/** No, and why: `code` is for programs, `error` for people. */
export type Refused = { status: false; error: string; code: number }

/** The methods at an address such as https://ringproof.example, for servers: the key opens the account's money. */
export function createRingproof(baseUrl: string, key: string, serviceId: number | string) {
  const headers = { authorization: `Bearer ${key}.${serviceId}`, 'content-type': 'application/json' }
  const post = async <M extends Method>(method: M, request: Requests[M]): Promise<ApiResponses[M] | Refused> => {
    const init = { method: 'POST', headers, body: JSON.stringify(request) }
    const response = await fetch(`${baseUrl}/v1.0/${method}`, init)
    return (await response.json()) as ApiResponses[M] | Refused
  }
  return {
    /** Start a verification call. */
    initCall: (request: Requests['initCall']) => post('initCall', request),
    /** What became of a verification. */
    getInfo: (request: Requests['getInfo']) => post('getInfo', request),
    /** Repeat a call; no longer supported. */
    initRepeat: (request: Requests['initRepeat']) => post('initRepeat', request),
    /** Wait for a call of the user. */
    inboundCallWaiting: (request: Requests['inboundCallWaiting']) => post('inboundCallWaiting', request),
    /** Check and describe a phone number. */
    checkPhone: (request: Requests['checkPhone']) => post('checkPhone', request),
    /** The account and its last actions. */
    getAccount: (request: Requests['getAccount']) => post('getAccount', request),
    /** The service. */
    getService: (request: Requests['getService']) => post('getService', request),
    /** Money and tariff. */
    getBalance: (request: Requests['getBalance']) => post('getBalance', request),
  }
}
