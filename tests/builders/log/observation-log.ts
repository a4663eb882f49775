/** A log of random observations of every kind, good ones and bad ones, as the jobs meet them. */

import type { EventLog, OutgoingMessage } from '../../../connectors/log/port.ts'
import { seededRandom } from '../../../platform/random.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { DAY, NOW, observation } from '../intelligence/observation.ts'

const AUDIENCES = [['public'], ['blue'], ['blue', 'red'], ['green']]
const TAGS = [[], ['scanner'], ['botnet', 'scanner'], ['phishing']]
const KINDS: Observation['kind'][] = [
  ...(['report', 'report', 'report', 'report', 'report', 'report', 'report'] as const),
  ...(['well_known', 'covered', 'tick', 'retraction'] as const),
]
const SEND = 5_000

/** Appends `count` records that follow from the seed, about `count / 6` entities among them. @returns how many are good */
export async function randomLog(
  log: Pick<EventLog, 'send'>,
  schemaId: number,
  count: number,
  seed: number,
): Promise<number> {
  const random = seededRandom(seed)
  const of = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const encode = encoder<Observation>(records.observation, schemaId)
  const ip = (): string =>
    `203.${Math.floor(random() * 4)}.${Math.floor((random() * count) / 6 / 64)}.${Math.floor(random() * 16) + 1}`

  const named = (): Pick<Observation, 'type' | 'value'> => {
    if (random() < 0.05) return { type: 'cidr', value: `203.0.${Math.floor(random() * 40)}.0/24` }
    return random() < 0.3
      ? { type: 'domain', value: `h${Math.floor((random() * count) / 20)}.example.net` }
      : { type: 'ip', value: ip() }
  }
  const uuid = (n: number, of: number): string =>
    `019b0000-0000-7000-8000-${(of * 1e9 + n).toString(16).padStart(12, '0')}`

  function good(n: number): Observation {
    const { type, value } = named()
    const kind = of(KINDS)
    const common = { id: uuid(n, seed), submissionId: uuid(n, seed + 1), type, value, kind }
    const observedAt = NOW - Math.floor(random() * 70 * DAY)
    const nobody = { ...common, audience: [], reputation: null }
    if (kind === 'covered') return observation({ ...nobody, observedAt })
    if (kind === 'tick') return observation({ ...nobody, observedAt: NOW - Math.floor(random() * 20 * DAY) })
    const source = of(['s1', 's2', 'feed:f', 'u3'])
    if (kind === 'retraction') {
      const from = observedAt - Math.floor(random() * 30 * DAY)
      const held = random() < 0.5 ? null : { claimedAt: from - DAY, at: from - DAY }
      const reputation = held === null ? null : of([-2, 1])
      const said = { source, audience: of(AUDIENCES), trust: of([0.3, 0.6]), reputation, tags: [] }
      return observation({ ...common, ...said, observedAt, retracted: { from, to: observedAt, held, described: null } })
    }
    const attributes: Record<string, string> =
      type === 'ip' && random() < 0.3 ? { asn: String(of([64500, 64501])), country: of(['Germany', 'France']) } : {}
    const mode = of(['association', 'aggregation'] as const)
    const relationship = of([null, 'uses', 'resolves-to'])
    const links = random() < 0.2 ? [{ mode, entityId: entityId('ip', ip()), relationship }] : []
    const covers = kind === 'well_known' && type === 'cidr'
    return observation({
      ...common,
      source,
      attributes,
      links,
      covers,
      tags: [...of(TAGS)],
      trust: of([0.3, 0.6, 0.9]),
      audience: covers ? ['public'] : of(AUDIENCES),
      reputation: kind === 'well_known' ? 0 : of([-3, -1, 0, 2, null]),
      // Some of the same source again within the window: repeats.
      observedAt: random() < 0.4 ? NOW : observedAt,
    })
  }

  function bad(o: Observation): OutgoingMessage {
    const message = { key: o.entityId, value: encode(o) }
    return of<() => OutgoingMessage>([
      () => ({ ...message, value: Buffer.from('not a record') }),
      () => ({ ...message, value: null }),
      () => ({ ...message, key: null }),
      () => ({ ...message, key: 'no-entity' }),
      () => ({ ...message, key: entityId('ip', '192.0.2.1') }),
      () => ({ ...message, value: encode({ ...o, trust: 7 }) }),
      () => ({ ...message, value: encode({ ...o, value: `${o.value}x` }) }),
      () => ({ ...message, value: encode({ ...o, tags: ['B', 'a'] }) }),
    ])()
  }

  let usable = 0
  for (let from = 0; from < count; from += SEND) {
    const messages: OutgoingMessage[] = []
    for (let n = from; n < Math.min(count, from + SEND); n++) {
      const o = good(n)
      const isBad = random() < 0.03
      if (!isBad) usable++
      messages.push({ ...(isBad ? bad(o) : { key: o.entityId, value: encode(o) }), timestamp: NOW + n })
    }
    await log.send([{ topic: OBSERVATIONS, messages }])
  }
  return usable
}
