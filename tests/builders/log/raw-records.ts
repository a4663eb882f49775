import fc from 'fast-check'
import type { KafkaMessage } from 'kafkajs'
import type { BrokerSubmission } from '../../../schemas/intelligence/observations/feed.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'

/** The id under which `rawRecord` writes submissions. */
export const SUBMISSION_ID = 7
const encode = encoder<BrokerSubmission>(records.submission, SUBMISSION_ID)

/** A submission of the feed `honest`. */
export const submission = (given: Partial<BrokerSubmission> = {}): BrokerSubmission => ({
  feed: 'honest',
  observedAt: null,
  visibleBy: null,
  type: 'ip',
  attributes: { ip: '203.0.113.9' },
  reputation: -1,
  tags: [],
  correlate: [],
  associations: [],
  ...given,
})

export const encodeSubmission = encode

const bytes = fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array))
const headerValue = fc.oneof(
  fc.constant(null),
  bytes,
  fc.string().map(Buffer.from),
  fc.constant(Buffer.from('base64:zz')),
)
const headerName = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    'toString',
    'dead-topic',
    'dead-reason',
    'dead-handler',
    'dead-offset',
  ),
  fc.constantFrom('replayed-time', 'replayed-from', 'replayed-for', 'dead-timestamp', 'dead-attempts'),
)
const times = ['0', '-1', '1', '253402300799999', '9223372036854775807', '-9223372036854775808', '1800000000000']

/** All that the encoder takes for a long: one less than the safe integers on either side. */
const LONGS = { min: Number.MIN_SAFE_INTEGER + 1, max: Number.MAX_SAFE_INTEGER - 1 }

const anySubmission: fc.Arbitrary<Buffer> = fc
  .record({
    feed: fc.constantFrom('honest', 'nobody', ''),
    observedAt: fc.oneof(fc.constant(null), fc.integer(LONGS), fc.constantFrom(0, -1, 253_402_300_799_999)),
    visibleBy: fc.oneof(fc.constant(null), fc.array(fc.string(), { maxLength: 3 })),
    type: fc.oneof(fc.constantFrom('ip', 'domain', 'url', 'cidr', 'email'), fc.string()),
    attributes: fc.dictionary(
      fc.oneof(fc.constantFrom('ip', 'domain', 'text'), fc.string()),
      fc.string({ unit: 'binary' }),
    ),
    reputation: fc.oneof(fc.constant(null), fc.integer()),
    tags: fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }),
    correlate: fc.array(fc.string(), { maxLength: 2 }),
  })
  .map((given) => encode(submission(given)))

/** What the client may hand out of a topic that anybody may write to. */
export const rawRecord: fc.Arbitrary<Omit<KafkaMessage, 'offset'>> = fc.record({
  key: fc.oneof(fc.constant(null), bytes, fc.constant(Buffer.alloc(1024 * 1024, 'k'))),
  value: fc.oneof(
    fc.constant(null),
    bytes,
    bytes.map((body) => Buffer.concat([Buffer.from([0, 0, 0, 0, SUBMISSION_ID]), body])),
    anySubmission,
    fc.constant(encode(submission())),
  ),
  timestamp: fc.oneof(fc.constantFrom(...times), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  attributes: fc.constant(0),
  // As the client makes them: null where the wire has null, whatever its types say.
  headers: fc
    .array(fc.tuple(headerName, fc.oneof(headerValue, fc.array(headerValue, { minLength: 1, maxLength: 3 }))), {
      maxLength: 6,
    })
    .map((all) => Object.assign(Object.create(null), Object.fromEntries(all)) as KafkaMessage['headers']),
}) as fc.Arbitrary<Omit<KafkaMessage, 'offset'>>
