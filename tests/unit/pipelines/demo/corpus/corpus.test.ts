import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { packagedGeo } from '../../../../../connectors/geo/packaged.ts'
import { type Corpus, DEMO_GROUP, type DemoReport, planCorpus } from '../../../../../pipelines/demo/corpus/corpus.ts'
import { FEEDS } from '../../../../../pipelines/demo/corpus/feeds.ts'
import { observe } from '../../../../../pipelines/processors/intelligence/observe.ts'
import { faultOf } from '../../../../../pipelines/processors/intelligence/validate.ts'
import { expand } from '../../../../../schemas/intelligence/ingest/expand.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import type { EntityState } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { isPublicAddress } from '../../../../../schemas/network/address.ts'

const DAY = 86_400_000
const END = Date.UTC(2026, 5, 18, 9, 30)
const settings = { entities: 3_000, days: 60, seed: 1, end: END }

function corpusOf(change: Partial<typeof settings> = {}): Corpus {
  for (const plan = planCorpus({ ...settings, ...change }); ; ) {
    const step = plan.next()
    if (step.done) return step.value
  }
}
const digestOf = (reports: Iterable<DemoReport>): string => {
  const digest = createHash('sha256')
  for (const report of reports) digest.update(JSON.stringify(report))
  return digest.digest('hex')
}

const corpus = corpusOf()
const reports = [...corpus.after(0)]
const observations = reports.flatMap(({ entity, provenance }): Observation[] => {
  const expanded = expand(entity, provenance, { submissionId: randomUUID(), nextId: randomUUID })
  if (!expanded.ok) throw new Error(`${JSON.stringify(entity)}: ${expanded.message}`)
  return expanded.observations
})
const rootOf = ({ entity }: DemoReport): string => `${entity.type} ${entity.attributes[entity.type]}`
const share = (of: (report: DemoReport) => boolean): number => reports.filter(of).length / reports.length

describe('the corpus', () => {
  test('is the same for the same settings, from wherever it is read, and another for another seed', () => {
    expect(digestOf(corpusOf().after(0))).toBe(digestOf(reports))
    expect([...corpusOf().after(1_000)]).toEqual(reports.slice(1_000))
    expect(digestOf(corpusOf({ seed: 2 }).after(0))).not.toBe(digestOf(reports))
  })

  test.each([100, 300, 3_000, 7_777])('has exactly %i entities, each reported to everybody', (entities) => {
    const sized = corpusOf({ entities })
    const all = [...sized.after(0)]
    const open = all.filter(({ provenance }) => provenance.audience[0] === 'public')
    expect([sized.entities, new Set(open.map(rootOf)).size, new Set(all.map(rootOf)).size]).toEqual([
      entities,
      entities,
      entities,
    ])
    expect(sized.reports).toBe(all.length)
  })

  test('passes what the job checks, and names nothing that it does not report', () => {
    expect(observations.map((o) => faultOf(o, END)).filter((fault) => fault !== null)).toEqual([])
    expect(new Set(observations.map(({ entityId }) => entityId)).size).toBe(settings.entities)
  })

  test('lies in its window, in the order of time, most of it on working days', () => {
    const times = reports.map(({ provenance }) => provenance.observedAt)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect([times[0]! >= END - 60 * DAY, times.at(-1)! <= END]).toEqual([true, true])
    const weekend = share(({ provenance }) => [0, 6].includes(new Date(provenance.observedAt).getUTCDay()))
    expect(weekend).toBeLessThan(0.25)
    const night = share(({ provenance }) => new Date(provenance.observedAt).getUTCHours() < 6)
    expect(night).toBeLessThan(0.22)
    const last = share(({ provenance }) => provenance.observedAt > END - 2 * DAY)
    expect(last).toBeLessThan(0.15)
  })

  test.each([
    ['ip', 0.25, 0.5],
    ['domain', 0.15, 0.35],
    ['url', 0.08, 0.25],
    ['sha256', 0.04, 0.2],
    ['email-address', 0.01, 0.1],
    ['cidr', 0.005, 0.05],
  ])('of its entities, %s are a share between %f and %f', (type, least, most) => {
    const roots = new Set(reports.map(rootOf))
    const found = [...roots].filter((root) => root.startsWith(`${type} `)).length / roots.size
    expect(found).toBeGreaterThan(least)
    expect(found).toBeLessThan(most)
  })

  test('has every feed, every reputation, sightings, marks, tags, and a little for one group', () => {
    expect(new Set(reports.map(({ provenance }) => provenance.source))).toEqual(
      new Set(FEEDS.map(({ name }) => `feed:${name}`)),
    )
    expect(new Set(reports.map(({ entity }) => entity.reputation))).toEqual(new Set([null, -3, -2, -1, 0, 1, 2, 3]))
    expect(reports.filter(({ provenance }) => provenance.kind === 'well_known').length).toBe(12)
    expect(new Set(reports.flatMap(({ entity }) => entity.tags ?? [])).size).toBeGreaterThan(20)
    const restricted = share(({ provenance }) => provenance.audience[0] === DEMO_GROUP)
    expect(restricted).toBeGreaterThan(0)
    expect(restricted).toBeLessThan(0.05)
  })

  test('relates all that it may: domain to address, URL to domain, digest to URL, network to address', () => {
    const related = new Set(
      reports.flatMap(({ entity }) => (entity.associations ?? []).map((to) => `${entity.type} ${to.type}`)),
    )
    for (const pair of ['domain ip', 'url domain', 'sha256 url', 'cidr ip', 'malware sha256'])
      expect(related).toContain(pair)
  })

  test('has entities whose score changes for weeks, and some of every accuracy', () => {
    const rules = { dedupeWindow: 3_600_000, locate: () => ({ country: '', asn: 0, aso: '' }) }
    const rows = new Map<string, EntityState>()
    const scores = new Map<string, { at: number; reputation: number }[]>()
    for (const [offset, o] of observations.entries()) {
      if (o.audience[0] !== 'public') continue
      const before = rows.get(o.entityId)
      const row = observe(
        before === undefined ? [] : [before],
        o,
        audienceId(o.audience),
        { partition: 0, offset },
        rules,
      )!.rows[0]!
      rows.set(o.entityId, row)
      const told = scores.get(o.entityId) ?? []
      if (told.at(-1)?.reputation !== row.reputation) told.push({ at: o.observedAt, reputation: row.reputation })
      scores.set(o.entityId, told)
    }
    const changing = [...scores.values()].filter((s) => s.length >= 3 && s.at(-1)!.at - s[0]!.at > 7 * DAY)
    expect(changing.length).toBeGreaterThan(5)
    expect(new Set([...rows.values()].map(({ accuracy }) => accuracy))).toEqual(new Set([0, 1, 2, 3]))
    const located = [...rows.values()].filter(({ type, country, asn }) => type === 'ip' && country !== '' && asn > 0)
    expect(located.length).toBe([...rows.values()].filter(({ type }) => type === 'ip').length)
    const malicious = [...rows.values()].filter(({ reputation }) => reputation < 0).length / rows.size
    expect(malicious).toBeGreaterThan(0.3)
    expect(malicious).toBeLessThan(0.65)
  })

  test('names nothing that is somebody’s', () => {
    const geo = packagedGeo()
    const reserved = /(^|\.)(example|test|invalid|example\.(com|net|org))$/
    const ofNobody = ({ type, value, attributes }: Observation): boolean => {
      if (type === 'domain' || type === 'hostname') return reserved.test(value)
      if (type === 'email-address') return reserved.test(value.split('@')[1]!)
      if (type === 'url') return reserved.test(new URL(value).hostname)
      if (type !== 'ip' && type !== 'cidr') return true
      const asn = Number(attributes.asn)
      const ownNumber = (asn >= 64_496 && asn <= 65_534) || (asn >= 65_536 && asn <= 65_551)
      return ownNumber && !isPublicAddress(value.split('/')[0]!) && geo.locate(value).asn === 0
    }
    expect(observations.filter((o) => !ofNobody(o))).toEqual([])
  })
})
