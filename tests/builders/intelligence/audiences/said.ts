/** Random reports to overlapping groups by users of a platform, and what of them is taken back again. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { openRegistry } from '../../../../cli/wiring/open/registry.ts'
import type { EventLog } from '../../../../connectors/log/port.ts'
import { loadConfig } from '../../../../platform/config.ts'
import { seededRandom } from '../../../../platform/random.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { normalise } from '../../../../schemas/intelligence/entities/normalise.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../../schemas/log/topics.ts'
import type { User } from '../../accounts/users.ts'
import { logOf } from '../../platform/data-folder.ts'
import type { Platform } from '../../platform/platform.ts'
import { observation } from '../observation.ts'
import type { Report } from '../reader-model.ts'
import { observationsOf } from '../replay.ts'
import { retractionOf } from '../retraction.ts'

const SEED = Number(process.env.HARRIER_CHAOS_SEED ?? 1)
export const VALUES = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ type: 'domain', value: `shared-${n}.example.com` }))
/** Spoken of by few, so that some stand in one audience of a reader and in others that it is not in. */
export const RARE = Array.from({ length: 40 }, (_, n) => ({ type: 'domain', value: `rare-${n}.example.org` }))
export const IPS = [1, 2, 3].map((n) => ({ type: 'ip', value: `198.51.100.${n}` }))
/** What the addresses lie in, in part: one that many speak of, and others of which a reader knows some. */
const NETWORKS = ['198.51.100.2/31', '203.0.113.0/24'].map((value) => ({ type: 'cidr', value }))
const AROUND = Array.from({ length: 16 }, (_, n) => ({
  type: 'cidr',
  value: normalise('cidr', `198.51.100.0/${9 + n}`) as string,
}))

/** Of these more is asked than of others. */
export const ENTITIES = [...VALUES.slice(0, 4), ...RARE.slice(0, 3), ...IPS.slice(0, 1)].map(({ type, value }) =>
  entityId(type, value),
)

type Told = { source: string; audience: readonly string[]; entityId: string; reputation: number | null }
export type Reporter = User & { trusted: boolean }

const trustOf = ({ trusted }: { trusted: boolean }): number => (trusted ? 0.9 : 0.6)

const sourced = (made: Omit<Report, 'observedAt'>): Told => ({ ...made, source: made.user })

/** Who said what to whom, whatever its order. */
const saidOf = (told: readonly Told[]): string =>
  told
    .map(({ source, audience, entityId, reputation }) => JSON.stringify([source, audience, entityId, reputation]))
    .sort()
    .join()

/** What these users say from now on. */
export function randomReports(platform: Platform, folder: string, users: readonly Reporter[]) {
  const random = seededRandom(SEED)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const some = <T>(from: readonly T[]): T[] => from.filter(() => random() < 0.5)
  /** Of each submission what it says, the root first. */
  const sent: Omit<Report, 'observedAt'>[][] = []
  const takenBack: Report[] = []
  async function mark(user: Reporter, type: string, value: string): Promise<void> {
    // A mark that covers would floor what lies under it, which this model does not know (reach.test.ts).
    const body = { type, attributes: { [type]: value }, covers: false }
    expect((await platform.ask('/api/ingest/v1/well-known', body, user.headers)).status).toBe(202)
    const nothing = { reputation: null, tags: [], country: null, text: null, links: [] }
    const made = { user: user.id, trust: trustOf(user), type, value, entityId: entityId(type, value), ...nothing }
    sent.push([{ ...made, audience: ['public'], wellKnown: true }])
  }

  async function report(): Promise<void> {
    const user = pick(users)
    const { type, value } = pick(random() < 0.5 ? [...RARE, ...AROUND] : [...VALUES, ...IPS, ...NETWORKS])
    if (user.trusted && random() < 0.1) return mark(user, type, value)
    const visibleBy = random() < 0.3 ? ['public'] : some(user.groups)
    const audience = visibleBy.length === 0 ? user.groups : visibleBy
    const linked = random() < 0.3 ? associates(value) : []
    const made = {
      user: user.id,
      trust: trustOf(user),
      type,
      value,
      entityId: entityId(type, value),
      audience: audience.includes('public') ? ['public'] : [...audience].sort(),
      reputation: random() < 0.2 ? null : Math.floor(random() * 7) - 3,
      tags: some(['apt', 'bot', `of-${audience[0]}`]).sort(),
      country: type === 'ip' && random() < 0.7 ? pick(['France', 'Peru', 'Kenya']) : null,
      text: random() < 0.3 ? `known to word${audience.join('')}` : null,
      wellKnown: false,
      links: linked.map(({ mode, entityId, relationship }) => ({ mode, entityId, relationship })),
    }
    const attributes = {
      [type]: value,
      ...(made.country === null ? {} : { country: made.country }),
      ...(made.text === null ? {} : { text: made.text }),
    }
    const body = {
      type,
      attributes,
      tags: made.tags,
      ...(made.reputation === null ? {} : { reputation: made.reputation }),
      ...(visibleBy.length === 0 ? {} : { visibleBy }),
      associations: linked.map((other) => ({
        mode: other.mode,
        type: other.type,
        attributes: { [other.type]: other.value },
        relationship: other.relationship,
      })),
    }
    const answer = await platform.ask('/api/ingest/v1/entity', body, user.headers)
    expect([answer.status, answer.body]).toEqual([202, expect.anything()])
    const nothing = { reputation: null, tags: [], country: null, text: null, links: [] }
    sent.push([made, ...linked.map(({ type, value, entityId }) => ({ ...made, ...nothing, type, value, entityId }))])
  }

  /** One or two others to be related to. */
  function associates(value: string) {
    const others = new Set([pick([...VALUES, ...IPS]), pick([...VALUES, ...RARE])])
    return [...others]
      .filter((other) => other.value !== value)
      .map((other) => ({
        ...other,
        entityId: entityId(other.type, other.value),
        mode: pick(['aggregation', 'association'] as const),
        relationship: pick([null, 'uses', 'resolves-to']),
      }))
  }

  /** The reports with the times that the log gave them, in their order. */
  async function timed(): Promise<Report[]> {
    const log = await logOf(folder)
    const observations = (await observationsOf(log)).map((o) => o.observation).sort((a, b) => (a.id < b.id ? -1 : 1))
    await log.close()
    const said = observations.filter((o) => o.kind !== 'retraction')
    const submissions = [...Map.groupBy(said, (o) => o.submissionId).values()]
    expect(submissions).toHaveLength(sent.length)
    const made = sent.flatMap((reports) => {
      // Ids of one millisecond are in no order: the first submission left that says the same is the one.
      const at = submissions.findIndex((told) => saidOf(told) === saidOf(reports.map(sourced)))
      expect(at).toBeGreaterThanOrEqual(0)
      const [told] = submissions.splice(at, 1)
      return reports.map((made) => ({
        ...made,
        observedAt: told!.find((o) => o.entityId === made.entityId)!.observedAt,
      }))
    })
    return [...made, ...takenBack].sort((a, b) => a.observedAt - b.observedAt)
  }

  /** Takes back all that one user said of one entity to one audience, as an operator would of a feed. */
  async function takeBack(
    log: EventLog,
    encode: (o: Observation) => Buffer,
    reports: readonly Report[],
    of: readonly Report[],
  ): Promise<void> {
    // Of a source that has no claim nothing is taken back.
    const ends = new Map([...reports, ...takenBack].map((r) => [`${r.entityId} ${r.user} ${r.audience}`, r]))
    const left = of.filter((r) => !r.wellKnown && !ends.get(`${r.entityId} ${r.user} ${r.audience}`)!.takenBack)
    if (left.length === 0) return
    const { user, trust, type, value, entityId, audience } = pick(left)
    // Later than everything before it, and before everything later: the model goes by times.
    await sleep(5)
    const now = Date.now()
    const record = retractionOf(
      [observation({ type, value, entityId })],
      { source: user, audience },
      { from: 1, to: now },
      now,
    )
    await log.send([{ topic: OBSERVATIONS, messages: [{ key: entityId, value: encode(record), timestamp: now }] }])
    await sleep(5)
    const nothing = { reputation: null, tags: [], country: null, text: null, links: [] }
    takenBack.push({
      user,
      trust,
      type,
      value,
      entityId,
      audience,
      observedAt: now,
      ...nothing,
      wellKnown: false,
      takenBack: true,
    })
  }

  async function takeSomeBack(reports: readonly Report[]): Promise<void> {
    const registry = await openRegistry(loadConfig({ HARRIER_DATA_DIR: folder }))
    const log = await logOf(folder)
    const encode = encoder<Observation>(records.observation, registry.ids.observation)
    for (let i = 0; i < 6; i++) await takeBack(log, encode, reports, reports)
    // That a group took something back of what others know too is for it alone.
    const own = reports.filter((r) => r.audience[0] !== 'public')
    for (const id of ENTITIES)
      await takeBack(
        log,
        encode,
        reports,
        own.filter((r) => r.entityId === id),
      )
    await Promise.all([log.close(), registry.close()])
  }

  return { report, timed, takeSomeBack }
}
