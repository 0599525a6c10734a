// inboundCallWaiting: the subscriber calls us, and a webhook notifies the customer.

import assert from 'node:assert/strict'
import { assertRefused } from '../../support/http/ask.ts'
import { createReceiver, type Receiver, verified } from '../../support/http/webhook-receiver.ts'
import {
  assertFields,
  assertPicked,
  assertRecent,
  assertVerificationId,
  type Check,
  deadUrl,
  failingTestNumber,
  newClient,
  succeeded,
  testNumber,
} from './deployment.ts'

async function withReceiver(
  respond: Parameters<typeof createReceiver>[0],
  work: (receiver: Receiver) => Promise<void>,
): Promise<void> {
  const receiver = await createReceiver(respond)
  try {
    await work(receiver)
  } finally {
    await receiver.close()
  }
}

export const inboundChecks: readonly Check[] = [
  {
    name: 'inboundCallWaiting returns the number to call; phone and callback_url are required',
    run: async (deployment) => {
      const { get, post } = await newClient(deployment)
      const request = { phone: failingTestNumber, callback_url: deadUrl }
      for (const asked of [await get('inboundCallWaiting', request), await post('inboundCallWaiting', request)]) {
        const waiting = succeeded(asked)
        assertFields(waiting, ['status', 'vendor_id', 'phone', 'confirmation_number'])
        assertVerificationId(waiting['vendor_id'])
        assert.equal(waiting['phone'], '7900***0002')
        assert.match(String(waiting['confirmation_number']), /^\d{7,15}$/)
      }
      assertRefused(await post('inboundCallWaiting', { phone: testNumber }), 2, 400)
      assertRefused(await post('inboundCallWaiting', { callback_url: deadUrl }), 2, 400)
      for (const phone of ['phone', '7907', '+7 907 000-01-80']) {
        assertRefused(await post('inboundCallWaiting', { phone, callback_url: deadUrl }), 3, 400)
      }
    },
  },
  {
    name: 'callback_url leads to the public internet over HTTP, without credentials: anything else is code 2',
    run: async (deployment) => {
      const { post } = await newClient(deployment)
      const wrong = [
        'webhook',
        'mailto:owner@example.org',
        'file:///etc/hostname',
        'gopher://example.org/',
        'https://owner:secret@example.org/',
        // The metadata service of clouds, in three spellings.
        'http://169.254.169.254/latest',
        'http://[::ffff:a9fe:a9fe]/',
        'http://0xa9fea9fe/',
        'http://192.168.0.1/',
        'http://172.16.0.1/',
        `https://example.org/${'p'.repeat(2_500)}`,
      ]
      for (const callback_url of wrong) {
        assertRefused(await post('inboundCallWaiting', { phone: testNumber, callback_url }), 2, 400)
      }
    },
  },
  {
    name: 'one subscriber awaited by two services gets two numbers; each service sees its own wait only',
    run: async (deployment) => {
      const [own, other] = [await newClient(deployment), await newClient(deployment)]
      const request = { phone: failingTestNumber, callback_url: deadUrl }
      const mine = succeeded(await own.post('inboundCallWaiting', request))
      const theirs = succeeded(await other.post('inboundCallWaiting', request))
      assert.notEqual(mine['confirmation_number'], theirs['confirmation_number'])
      const uid = String(mine['vendor_id'])
      assertRefused(await other.get('getInfo', { uid }), 10, 404)
      assertPicked(succeeded(await own.get('getInfo', { uid })), {
        vendor_id: mine['vendor_id'],
        call_status: -1,
        phone: '7900***0002',
      })
    },
  },
  {
    name: 'the webhook is signed, complete, and sent again with the same ID and body after an error',
    run: async (deployment) => {
      const { service, get, ended } = await newClient(deployment)
      const failOnce: Parameters<typeof createReceiver>[0] = (response, _, nth) =>
        response.writeHead(nth === 1 ? 500 : 204).end()
      await withReceiver(failOnce, async (receiver) => {
        const callbackUrl = `${receiver.url}/calls?shop=1`
        const waiting = succeeded(await get('inboundCallWaiting', { phone: testNumber, callback_url: callbackUrl }))
        await receiver.count(2)
        const [first, second] = receiver.received
        assert(first && second)
        assert.equal(second.method, 'POST')
        assert.match(String(second.headers['content-type']), /^application\/json\b/)
        assert.equal(first.headers['webhook-id'], second.headers['webhook-id'])
        assert.equal(first.body, second.body)
        assertRecent(Number(second.headers['webhook-timestamp']))
        const event = verified(service.webhookSecret, second)
        assertFields(event, [
          'callId',
          'callbackLink',
          'clientNumber',
          'confirmationNumber',
          'isMnp',
          'operatorName',
          'operatorNameMnp',
          'regionName',
        ])
        assertPicked(event, {
          callId: String(waiting['vendor_id']),
          callbackLink: callbackUrl,
          clientNumber: testNumber,
          confirmationNumber: waiting['confirmation_number'],
          isMnp: false,
          operatorName: '',
          operatorNameMnp: '',
        })
        assert.equal((await ended(waiting))['call_status'], 1)
      })
    },
  },
  {
    name: 'a redirect counts as a failed delivery and is not followed; 410 ends deliveries',
    run: async (deployment) => {
      const { post } = await newClient(deployment)
      const respond: Parameters<typeof createReceiver>[0] = (response, { url }, nth) => {
        if (url === '/gone') response.writeHead(410).end()
        else if (url === '/moved' && nth === 1) response.writeHead(302, { location: '/target' }).end()
        else response.writeHead(204).end()
      }
      await withReceiver(respond, async (receiver) => {
        const waitFor = async (path: string) =>
          succeeded(await post('inboundCallWaiting', { phone: testNumber, callback_url: receiver.url + path }))
        await waitFor('/gone')
        await waitFor('/moved')
        await receiver.count(3)
        // Whatever would come of the first two has been due for longer than what comes of this one.
        await waitFor('/afterwards')
        await receiver.count(4)
        const paths = receiver.received.map(({ url }) => url).toSorted()
        assert.deepEqual(paths, ['/afterwards', '/gone', '/moved', '/moved'])
      })
    },
  },
]
