import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { linkStore } from '../../../../../connectors/history/links/link-store.ts'
import { MOST_ENTITIES, MOST_RELATIONS, type Relation } from '../../../../../connectors/history/links/port.ts'
import {
  type RelationRow,
  relationsCount,
  relationsPage,
} from '../../../../../connectors/history/sql/queries/relations-queries.ts'
import { observationStore } from '../../../../../connectors/history/stores/observations.ts'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Link, LinkMode, Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import type { EntityStates } from '../../../../../schemas/intelligence/state/entity-state.ts'
import type { Edge, Positioned } from '../../../../../schemas/intelligence/state/stored.ts'
import { migrated } from '../../../../builders/history/shared.ts'
import type { OpenStore } from '../../../../builders/history/stores.ts'
import { positioned } from '../../../../builders/intelligence/changes.ts'
import { HOUR, NOW } from '../../../../builders/intelligence/observation.ts'
import { retractionOf } from '../../../../builders/intelligence/retraction.ts'
import { longer } from '../../../../builders/platform/longer.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const AUDIENCES = [['public'], ['blue'], ['blue', 'red'], ['red']]
const MODES: LinkMode[] = ['association', 'aggregation']
const TYPES = [null, 'uses', 'resolves-to', 'x-0']
const ENTITIES = 4

const nameOf = (run: number, n: number): string => `e${n}-r${run}.test`

/** Reports of a few entities, which name one another, themselves, or what nobody reported to this reader. */
const report = fc.record({
  of: fc.nat({ max: ENTITIES - 2 }),
  audience: fc.constantFrom(...AUDIENCES),
  minutes: fc.nat({ max: 90 }),
  names: fc.array(fc.tuple(fc.nat({ max: ENTITIES - 1 }), fc.constantFrom(...MODES), fc.constantFrom(...TYPES)), {
    maxLength: 4,
  }),
})
type Report = typeof report extends fc.Arbitrary<infer T> ? T : never

const said = (run: number, n: number): Pick<Observation, 'type' | 'value' | 'entityId'> => ({
  type: 'domain',
  value: nameOf(run, n),
  entityId: entityId('domain', nameOf(run, n)),
})

const logOf = (run: number, reports: readonly Report[]): Positioned[] =>
  positioned(
    reports.map(({ of, audience, minutes, names }): Partial<Observation> => {
      const links = names.map(
        ([end, mode, relationship]): Link => ({ mode, entityId: said(run, end).entityId, relationship }),
      )
      return { ...said(run, of), audience, links, observedAt: NOW + minutes * 60_000 }
    }),
  )

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** What a reader of these audiences should be told, by the log alone. */
function modelled(log: readonly Positioned[], audiences: readonly bigint[], ids: readonly string[], incoming: boolean) {
  const readable = log.filter(({ audience }) => audiences.includes(audience)).map(({ observation }) => observation)
  const ends = new Map(readable.map(({ entityId: id, type, value }) => [id, { entityId: id, type, value }]))
  const stated = readable.flatMap((o) => o.links.map((link) => ({ o, link })))
  const groups = Map.groupBy(stated, ({ o, link }) =>
    JSON.stringify([o.entityId, link.entityId, link.mode, link.relationship]),
  )
  const all = [...groups.values()].flatMap((same): Omit<Relation, 'of'>[] => {
    const { o, link } = same[0]!
    const [from, to] = [ends.get(o.entityId), ends.get(link.entityId)]
    if (from === undefined || to === undefined || from === to) return []
    const times = same.map((one) => one.o.observedAt)
    const span = { firstSeen: Math.min(...times), lastSeen: Math.max(...times) }
    return [{ from, to, mode: link.mode, relationship: link.relationship, ...span }]
  })
  return ids.flatMap((id) =>
    all
      .filter(({ from, to }) => from.entityId === id || (incoming && to.entityId === id))
      .map((one) => ({ of: id, ...one }))
      .sort((a, b) => {
        const other = (r: Relation): string => (r.from.entityId === id ? r.to.entityId : r.from.entityId)
        const outgoing = (r: Relation): number => (r.from.entityId === id ? 1 : 0)
        return (
          b.lastSeen - a.lastSeen ||
          byText(other(a), other(b)) ||
          byText(a.mode, b.mode) ||
          outgoing(a) - outgoing(b) ||
          byText(a.relationship ?? '', b.relationship ?? '')
        )
      }),
  )
}

export function relationshipTypes(open: OpenStore): void {
  const { history } = migrated(open)

  /** As the job stores it, cut into batches. */
  async function applied(log: readonly Positioned[], size: number, name: string): Promise<void> {
    const writes = observationStore(history)
    let states: ReadonlyMap<string, EntityStates> = new Map()
    for (let i = 0; i < log.length; i += size) {
      const batch = applyBatch(states, log.slice(i, i + size), rules)
      states = new Map([...states, ...batch.states])
      await writes.associations(batch.edges, `${name}:${i}`)
      // A range that is handed out again writes its links again.
      await writes.associations(batch.edges, `${name}:${i} again`)
      await writes.entities(batch.rows, `${name}:${i}`)
    }
  }

  test('every reader is told each type that it may read, and a link with several of them is one as before', async () => {
    let run = 0
    let several = 0
    let hidden = 0
    const logs = fc.array(report, { minLength: 4, maxLength: 14 })
    const readers = fc.subarray(['public', 'blue', 'red', 'green'], { minLength: 1 })
    const property = fc.asyncProperty(
      logs,
      fc.integer({ min: 1, max: 5 }),
      readers,
      fc.boolean(),
      async (reports, size, groups, both) => {
        const log = logOf(++run, reports)
        await applied(log, size, `run ${run}`)
        if (run % 3 === 0) await history.command('OPTIMIZE TABLE associations FINAL')
        const audiences = AUDIENCES.filter((of) => of.some((group) => groups.includes(group))).map(audienceId)
        const ids = Array.from({ length: ENTITIES }, (_, n) => said(run, n).entityId)
        const model = modelled(log, audiences, ids, both)
        const told = await linkStore(history).relationsOf([...ids, ids[0]!], audiences, { incoming: both })
        expect(told).toEqual({ relations: model, cut: new Set() })
        if (modelled(log, AUDIENCES.map(audienceId), ids, both).length > model.length) hidden++

        // What lists and counts links counts each once, whatever it was stated with.
        for (const id of ids) {
          const search = { id, audiences, types: null }
          const page = await history.query<RelationRow>(relationsPage(search, 1_000, 0))
          const [count] = await history.query<{ relations: string }>(relationsCount(search))
          const links = statedTypes(log, audiences, id)
          expect(Number(count!.relations)).toBe(links.size)
          expect(new Map(page.map((r) => [`${r.outgoing} ${r.mode} ${r.related_id}`, r.relationships]))).toEqual(links)
          if ([...links.values()].some((types) => types.length > 1)) several++
        }
      },
    )
    // Few rounds may have neither a link with several types nor one that is hidden.
    for (let more = 0; more < 5 && Math.min(several, hidden) === 0; more++)
      await fc.assert(property, { numRuns: longer(10) })
    expect(Math.min(several, hidden)).toBeGreaterThan(0)
  }, 240_000)

  /** The links of an entity in both directions, and the types that each was stated with to these audiences. */
  function statedTypes(log: readonly Positioned[], audiences: readonly bigint[], id: string): Map<string, string[]> {
    const types = new Map<string, Set<string>>()
    for (const { observation: o, audience } of log)
      for (const { entityId: target, mode, relationship } of audiences.includes(audience) ? o.links : []) {
        if (target === o.entityId || (o.entityId !== id && target !== id)) continue
        const name = o.entityId === id ? `1 ${mode} ${target}` : `0 ${mode} ${o.entityId}`
        const known = types.get(name) ?? new Set()
        if (relationship !== null) known.add(relationship)
        types.set(name, known)
      }
    return new Map([...types].map(([name, of]) => [name, [...of].sort()]))
  }

  test('what was taken back is at no end of a relation', async () => {
    const [from, to] = [said(0, 0), said(0, 1)]
    const links = [{ mode: 'association' as const, entityId: to.entityId, relationship: 'uses' }]
    const reports = positioned([{ ...from, links }, to, said(0, 2)])
    await applied(reports, 5, 'before')
    const public_ = [audienceId(['public'])]
    const asked = () => linkStore(history).relationsOf([from.entityId], public_)
    expect((await asked()).relations).toMatchObject([{ from, to, relationship: 'uses' }])
    const gone = reports[1]!.observation
    const back = retractionOf([gone], gone, { from: 1, to: NOW + 1 }, NOW + 2)
    const { states } = applyBatch(new Map(), reports, rules)
    const after = applyBatch(states, [{ ...reports[1]!, observation: back, offset: 3 }], rules)
    await observationStore(history).entities(after.rows, 'after')
    expect(after.rows.map((row) => row.retracted)).toEqual([true])
    expect((await asked()).relations).toEqual([])
  })

  describe('of an entity that names 50,000 others', () => {
    const hub = said(0, 9)
    const endOf = (n: number): string => `ip-${n.toString(16).padStart(64, '0')}`
    const LINKS = 50_000

    beforeAll(async () => {
      const writes = observationStore(history)
      for (let from = 0; from < LINKS; from += 10_000)
        await writes.associations(
          Array.from({ length: 10_000 }, (_, i): Edge => {
            const n = from + i
            const relationship = n % 2 === 0 ? 'uses' : null
            const stated = { relatedId: endOf(n), mode: 'association', relationship, seenAt: NOW + n, offset: n }
            return { entityId: hub.entityId, audience: audienceId(['public']), ...stated }
          }),
          `hub ${from}`,
        )
      const row = applyBatch(new Map(), positioned([{ ...said(0, 8) }]), rules).rows[0]!
      const ends = Array.from({ length: 200 }, (_, i) => ({ ...row, type: 'ip', value: `192.0.2.${i}` })).map(
        (end, i) => ({ ...end, entityId: endOf(LINKS - 1 - i) }),
      )
      await writes.entities([...ends, { ...row, ...hub }], 'hub')
    }, 120_000)

    const everybody = [audienceId(['public'])]

    test('the newest are told, no more than the bound, and it is said that there are more', async () => {
      const { relations, cut } = await linkStore(history).relationsOf([hub.entityId], everybody)
      expect(relations.map(({ lastSeen }) => lastSeen - NOW)).toEqual(
        Array.from({ length: 100 }, (_, i) => LINKS - 1 - i),
      )
      expect(relations[0]).toMatchObject({ from: hub, to: { type: 'ip', value: '192.0.2.0' }, relationship: null })
      expect(relations[1]).toMatchObject({ relationship: 'uses' })
      expect(cut).toEqual(new Set([hub.entityId]))
      const few = await linkStore(history).relationsOf([hub.entityId, endOf(7)], everybody, { each: 3, incoming: true })
      // The other end of the second one was reported to nobody.
      expect([few.relations.length, few.cut]).toEqual([3, new Set([hub.entityId])])
      const whole = await linkStore(history).relationsOf([hub.entityId], everybody, { each: LINKS })
      expect([whole.relations.length, whole.cut.size]).toEqual([200, 0])
    })

    test('what is past a bound is refused', async () => {
      const many = Array.from({ length: MOST_ENTITIES + 1 }, (_, n) => endOf(n))
      const ask = (ids: string[], each: number) => linkStore(history).relationsOf(ids, everybody, { each })
      await expect(ask(many, 1)).rejects.toThrow(`more than ${MOST_ENTITIES} entities`)
      for (const each of [0, -1, 1.5, MOST_RELATIONS / 2 + 1])
        await expect(ask(many.slice(0, 2), each)).rejects.toThrow(RangeError)
      expect((await ask(many.slice(0, MOST_ENTITIES), 1)).relations).toEqual([])
    })
  })

  test('a link may be stated with more types than are shown of it', async () => {
    const [from, to] = [said(0, 3), said(0, 4)]
    const types = Array.from({ length: 120 }, (_, n) => `t-${String(n).padStart(3, '0')}`)
    const links = types.map((relationship): Link => ({ mode: 'association', entityId: to.entityId, relationship }))
    await applied(positioned([{ ...from, links }, to]), 5, 'types')
    const search = { id: from.entityId, audiences: [audienceId(['public'])], types: null }
    const page = await history.query<RelationRow>(relationsPage(search, 10, 0))
    expect(page.map(({ relationships }) => relationships.length)).toEqual([50])
    const { relations, cut } = await linkStore(history).relationsOf([from.entityId], search.audiences)
    expect(relations.map(({ relationship }) => relationship)).toEqual(types.slice(0, 100))
    expect(cut.size).toBe(1)
  })
}
