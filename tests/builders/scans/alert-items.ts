/** Alerts as destinations are told of them, hostile ones too. */

import fc from 'fast-check'
import type { AlertItem, Message } from '../../../schemas/casework/deliveries/message.ts'

export const LINKS = { console: 'https://harrier.example.com/' }

export const alertItem = (given: Partial<AlertItem> = {}): AlertItem => ({
  id: '018f0000-0000-7000-8000-000000000001',
  '@timestamp': '2026-03-01T12:00:00.000Z',
  watchlistID: '018f0000-0000-7000-8000-000000000002',
  itemID: '018f0000-0000-7000-8000-000000000003',
  entityID: `ip-${'0'.repeat(64)}`,
  entityType: 'ip',
  entityValue: '203.0.113.7',
  reputation: -3,
  matchedKind: 'value',
  matchedOn: '203.0.113.7',
  count: 1,
  lastAt: '2026-03-01T12:00:00.000Z',
  ...given,
})

export const created = (given: Partial<AlertItem> = {}): Message => ({
  type: 'alert.created',
  id: alertItem(given).id,
  at: Date.UTC(2026, 2, 1, 12),
  alert: alertItem(given),
})

export const digest = (alerts: readonly AlertItem[], count = alerts.length): Message => ({
  type: 'alerts.digest',
  id: 'f'.repeat(64),
  at: Date.UTC(2026, 2, 1, 12),
  count,
  alerts,
})

/** Pieces that mean something to some receiver: lines, markup, mentions, links, directions, halves of characters. */
const PIECES = [
  '\n',
  '\r\nBcc: all@example.com',
  '\u0000',
  '\u001b[31m',
  '\u202e',
  '\u2066',
  '\u200b',
  '\ud800',
  '\u2028',
  '<!channel>',
  '<@U123>',
  '<at>everyone</at>',
  '<https://evil.example|click>',
  '[click](https://evil.example)',
  '![x](http://evil.example/x.png)',
  '`',
  '*bold*',
  '_it_',
  '~gone~',
  '&amp;',
  '&lt;',
  '"',
  "'",
  '\\',
  'http://',
  'HTTPS://',
  'ftp://',
  'javascript:',
  'mailto:a@b.c',
  'evil.example',
  '1.2.3.4',
  'a\u3002b',
  '@here',
  '://',
  ':',
  '/',
  '{{x}}',
  '$\u007bx}',
  '',
  'é',
  '😀',
]

/** Values that somebody makes up to hurt who reads them; some are as long as a value may be. */
export const hostile: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((all) => all.join('')) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
  { weight: 1, arbitrary: fc.constantFrom(...PIECES).map((piece) => (piece || 'x').repeat(65_536).slice(0, 65_536)) },
)

export const hostileItem: fc.Arbitrary<AlertItem> = fc
  .record({
    entityType: hostile,
    entityValue: hostile,
    matchedKind: hostile,
    matchedOn: hostile,
    reputation: fc.integer({ min: -3, max: 3 }),
    count: fc.integer({ min: 1, max: 1e9 }),
  })
  .map((given) => alertItem(given))

export const hostileMessage: fc.Arbitrary<Message> = fc.oneof(
  hostileItem.map((alert): Message => created(alert)),
  fc
    .tuple(fc.array(hostileItem, { minLength: 1, maxLength: 120 }), fc.nat(1_000_000))
    .map(([alerts, more]) => digest(alerts, alerts.length + more)),
  hostile.map((name): Message => ({ type: 'test', id: 'a', at: 0, destinationID: 'b', name })),
)
