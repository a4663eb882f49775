/** Observations of a few entities as they may come: of every kind that changes what a reader is shown. */

import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { canCover, type TypedValue } from '../../../schemas/intelligence/propagation/coverage.ts'
import { HOUR, NOW, observation } from '../intelligence/observation.ts'
import { retractionOf } from '../intelligence/retraction.ts'

const MINUTE = 60_000
const DAY = 24 * HOUR

export const AUDIENCES: readonly string[][] = [['public'], ['blue'], ['red'], ['blue', 'red']]
const SOURCES = ['s1', 's2', 'feed:a']
const TAGS: readonly string[][] = [[], ['t'], ['t', 'ü'], ['u']]
/** Of no source and no audience. */
const SILENT = { audience: [], reputation: null, tags: [], links: [], attributes: {} }

/**
 * The next observation, of one of these entities: mostly reports, often the same again; marks and what clears them,
 * verdicts, matches, retractions and ticks. Time goes on by minutes, at times by hours or days.
 */
export function randomObservations(random: () => number, entities: readonly TypedValue[]): () => Observation {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
  const said = new Map<string, Observation[]>()
  let now = NOW
  let made = 0

  function reported(name: TypedValue, given: Partial<Observation>): Observation {
    const key = `${name.type} ${name.value}`
    const before = said.get(key) ?? []
    const again = before.length > 0 && random() < 0.4 ? pick(before) : null
    const o = observation({
      source: pick(SOURCES),
      sourceKind: pick(['user', 'feed'] as const),
      trust: pick([0.3, 1]),
      reputation: pick([-3, -1, 0, 3, null]),
      tags: pick(TAGS),
      ...again,
      audience: again?.audience ?? pick(AUDIENCES),
      observedAt: random() < 0.1 ? now - Math.floor(random() * 40 * DAY) : now,
      ...name,
      ...given,
    })
    said.set(key, [...before, o])
    return o
  }

  function retracted(name: TypedValue): Observation | null {
    const all = said.get(`${name.type} ${name.value}`) ?? []
    const reports = all.filter(({ kind }) => kind === 'report')
    if (reports.length === 0) return null
    const from = random() < 0.6 ? 1 : pick(reports).observedAt
    return retractionOf(all, pick(reports), { from, to: now }, now)
  }

  function next(name: TypedValue): Observation {
    const of = { ...name, observedAt: now }
    const kind = random()
    if (kind < 0.1) return retracted(name) ?? reported(name, {})
    if (kind < 0.16) {
      const verdict = { reason: 'r', until: random() < 0.5 ? 0 : now + 2 * HOUR }
      const audience = pick(AUDIENCES.slice(1))
      return observation({ ...of, kind: 'verdict', audience, reputation: pick([3, -3, null]), verdict, source: 'v' })
    }
    if (kind < 0.22) {
      const covers = canCover(name.type) && random() < 0.5
      return reported(name, { kind: 'well_known', reputation: null, audience: ['public'], covers })
    }
    if (kind < 0.26) return observation({ ...of, kind: 'unmark', ...SILENT })
    if (kind < 0.3) return observation({ ...of, kind: pick(['covered', 'uncovered'] as const), ...SILENT })
    if (kind < 0.35) return observation({ ...of, kind: 'match', audience: pick(AUDIENCES), reputation: null, trust: 0 })
    if (kind < 0.45) return observation({ ...of, kind: 'tick', ...SILENT })
    return reported(name, { kind: 'report', covers: false })
  }

  return () => {
    const step = random()
    now += Math.floor(random() * (step < 0.85 ? 15 * MINUTE : step < 0.95 ? 5 * HOUR : 30 * DAY))
    const name = pick(entities)
    const made12 = String(++made).padStart(12, '0')
    const id = `019b0000-0000-7000-8000-${made12}`
    return { ...next(name), ...name, entityId: entityId(name.type, name.value), id }
  }
}
