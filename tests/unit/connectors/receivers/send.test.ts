import { afterEach, expect, test, vi } from 'vitest'
import { messageSender, type SendingPorts } from '../../../../connectors/receivers/send.ts'
import type { Receiver } from '../../../../schemas/casework/deliveries/destination.ts'
import { created, LINKS } from '../../../builders/scans/alert-items.ts'

const MAILBOX: Receiver = { kind: 'email', url: null, email: 'soc@example.com', secret: 'whsec_AAAA' }
const HOOK: Receiver = { kind: 'webhook', url: 'https://hooks.example.com/', email: null, secret: 'whsec_AAAA' }

const sending = (given: Partial<SendingPorts>) =>
  messageSender({
    send: async () => ({ ok: true, status: 204 }),
    mailer: { send: async () => undefined },
    allowPrivate: false,
    links: LINKS,
    now: () => 0,
    ...given,
  })

/** A mail server that takes the connection and says nothing. */
const silent = { send: () => new Promise<never>(() => undefined) }

/** The time-out of a mail, which ends when the test says so. */
const timeouts = () => {
  const late = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
  return late
}
afterEach(() => void vi.restoreAllMocks())

test('a mail server that never answers has failed the try once its time is over', async () => {
  const late = timeouts()
  const sent = sending({ mailer: silent })(MAILBOX, created())
  expect(AbortSignal.timeout).toHaveBeenCalledWith(10_000)
  late.abort()
  expect(await sent).toEqual({ ok: false, reason: 'timeout', error: 'the mail server did not answer in time' })
})

test('a mail is given up when the process stops, and not begun after that', async () => {
  const stop = new AbortController()
  const sent = sending({ mailer: silent })(MAILBOX, created(), stop.signal)
  stop.abort()
  expect(await sent).toMatchObject({ ok: false, reason: 'stopped' })
  const send = vi.fn(async () => undefined)
  expect(await sending({ mailer: { send } })(MAILBOX, created(), stop.signal)).toMatchObject({ reason: 'stopped' })
  expect(send).not.toHaveBeenCalled()
})

test('what the mail server says is not told to the user', async () => {
  const mailer = { send: async () => Promise.reject(new Error('550 relay-7.internal refuses')) }
  const sent = await sending({ mailer })(MAILBOX, created())
  expect(sent).toEqual({ ok: false, reason: 'mail', error: 'the mail server did not accept the mail' })
})

test.each([
  [200, { ok: true }],
  [299, { ok: true }],
  [199, { ok: false, reason: 'status', error: 'the receiver answered with status 199' }],
  [301, { ok: false, reason: 'status', error: 'the receiver answered with status 301' }],
  [500, { ok: false, reason: 'status', error: 'the receiver answered with status 500' }],
])('an answer with status %d counts as it says', async (status, want) => {
  const send = vi.fn(async () => ({ ok: true, status }) as const)
  expect(await sending({ send })(HOOK, created())).toEqual(want)
  // Never a private address, never more than a bound, and the whole body has to come.
  expect(send).toHaveBeenCalledWith(
    expect.objectContaining({ allowPrivate: false, timeoutMs: 10_000, maxResponseBytes: 65_536, wholeResponse: true }),
  )
})
