import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amountInWords } from '../../server/src/domain/money/amount-in-words.ts'
import { addMoney, type MicroAmount, zeroMoney } from '../../server/src/domain/money/money.ts'
import { isPageLink, parsePayment, parsePaymentAmount } from '../../server/src/domain/money/payment.ts'
import { actAmount, daysOfMonth } from '../../server/src/domain/money/statement.ts'
import { parseAmount } from '../../web/src/dashboard/balance/amount.ts'

// In micro-units.
const minorUnits = [
  ['RUB', 10_000],
  ['EUR', 10_000],
  ['JPY', 1_000_000],
  ['KWD', 1_000],
] as const

test('acts are whole minor units, and those of all months add up to the ledger to the minor unit', () => {
  const prices = fc.integer({ min: 0, max: 10_000_000 }).map((hundredths) => (hundredths * 100) as MicroAmount)
  fc.assert(
    fc.property(fc.array(prices, { maxLength: 40 }), fc.constantFrom(...minorUnits), (months, [currency, unit]) => {
      let before = zeroMoney
      let acts = 0
      for (const charged of months) {
        const amount = actAmount(before, charged, currency)
        assert.equal(amount % unit, 0)
        assert.ok(Math.abs(amount - charged) < unit)
        before = addMoney(before, charged)
        acts += amount
      }
      assert.ok(Math.abs(acts - before) <= unit / 2)
    }),
  )
})

test('months have their days, and there is no thirteenth', () => {
  assert.deepEqual(daysOfMonth('2026-12'), { firstDay: '2026-12-01', lastDay: '2026-12-31', nextDay: '2027-01-01' })
  assert.equal(daysOfMonth('2028-02')?.lastDay, '2028-02-29')
  for (const none of ['2026-13', '2026-00', '2026-1', '1999-01', '2026-01-01', ''])
    assert.equal(daysOfMonth(none), undefined)
})

test('roubles are written out, other currencies are not', () => {
  assert.equal(amountInWords(1_000_000 as MicroAmount, 'EUR', 'en'), undefined)
  for (const [kopecks, en, ru] of [
    [0, 'zero roubles 00 kopecks', 'ноль рублей 00 копеек'],
    [101, 'one rouble 01 kopeck', 'один рубль 01 копейка'],
    [222, 'two roubles 22 kopecks', 'два рубля 22 копейки'],
    [1_100, 'eleven roubles 00 kopecks', 'одиннадцать рублей 00 копеек'],
    [11_211, 'one hundred and twelve roubles 11 kopecks', 'сто двенадцать рублей 11 копеек'],
    [100_000, 'one thousand roubles 00 kopecks', 'одна тысяча рублей 00 копеек'],
    [200_204, 'two thousand two roubles 04 kopecks', 'две тысячи два рубля 04 копейки'],
    [1_200_000, 'twelve thousand roubles 00 kopecks', 'двенадцать тысяч рублей 00 копеек'],
    [
      123_456_789,
      'one million two hundred and thirty-four thousand five hundred and sixty-seven roubles 89 kopecks',
      'один миллион двести тридцать четыре тысячи пятьсот шестьдесят семь рублей 89 копеек',
    ],
    [9_900_000_040, 'ninety-nine million roubles 40 kopecks', 'девяносто девять миллионов рублей 40 копеек'],
  ] as const) {
    const amount = (kopecks * 10_000) as MicroAmount
    assert.deepEqual([amountInWords(amount, 'RUB', 'en'), amountInWords(amount, 'RUB', 'ru')], [en, ru])
  }
})

test('a payment is read only as it is documented', () => {
  const good = { account: 512, amount: '5000.00', currency: 'RUB', payment: 'pay-1' }
  const parse = (body: object) => parsePayment(JSON.stringify(body), 'RUB')
  assert.deepEqual(parse(good), { accountId: 512, amount: 5_000_000_000, reference: 'pay-1' })
  for (const body of ['', '[]', 'null', '"text"', '{', '7']) assert.equal(parsePayment(body, 'RUB'), undefined, body)
  assert.equal(parse({ ...good, amount: 5000 }), 'amount')
  assert.equal(parse({ ...good, amount: '50.001' }), 'amount')
  assert.equal(parse({ ...good, account: '512' }), 'account')
  assert.equal(parse({ ...good, currency: 'EUR' }), 'currency')
  assert.equal(parse({ ...good, currency: undefined }), 'currency')
  assert.equal(parse({ ...good, payment: undefined }), 'payment')
})

test('a payment has the decimals of its currency', () => {
  for (const [amount, currency, micro] of [
    ['500', 'JPY', 500_000_000],
    ['500.0', 'JPY', undefined],
    ['500.125', 'KWD', 500_125_000],
    ['500.1255', 'KWD', undefined],
    ['10.', 'EUR', undefined],
    ['1.000.00', 'EUR', undefined],
  ] as const) {
    assert.equal(parsePaymentAmount(amount, currency), micro, `${amount} ${currency}`)
  }
})

test('the link of a payment page is a web address with both placeholders behind its host', () => {
  for (const good of [
    '',
    'https://pay.example.org/?a={account}&b={amount}',
    'http://127.0.0.1:8080/{account}/{amount}',
    'https://pay.example.org?account={account}&sum={amount}',
  ]) {
    assert.ok(isPageLink(good), good)
  }
  for (const wrong of [
    'pay.example.org/{account}/{amount}',
    'javascript://x/{account}{amount}',
    'https://{account}.example.org/{amount}',
    'https://pay.example.org/{account}',
    'https://pay.example.org/{account}/{amount}/{x}',
    'https://pay.example.org/{account}/{amount} ',
    `https://pay.example.org/{account}/{amount}/${'x'.repeat(500)}`,
  ]) {
    assert.ok(!isPageLink(wrong), wrong)
  }
})

test('people type amounts with spaces and commas', () => {
  assert.equal(parseAmount('5 000,5', 'EUR'), '5000.50')
  assert.equal(parseAmount('10', 'EUR'), '10.00')
  assert.equal(parseAmount('10', 'JPY'), '10')
  assert.equal(parseAmount('5 000,5', 'KWD'), '5000.500')
  assert.equal(parseAmount('10.5', 'JPY'), undefined)
  for (const wrong of ['9.99', '100000000.01', '50.001', 'x', '', '10.', '1,000.00']) {
    assert.equal(parseAmount(wrong, 'EUR'), undefined, wrong)
  }
})
