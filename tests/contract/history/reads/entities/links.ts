import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { linkStore } from '../../../../../connectors/history/links/link-store.ts'
import { MOST_LINKS } from '../../../../../connectors/history/links/port.ts'
import { observationStore } from '../../../../../connectors/history/stores/observations.ts'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { withGroups } from '../../../../../pipelines/processors/intelligence/changes.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Link, LinkMode, Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import type { Stated } from '../../../../../schemas/intelligence/observations/relation.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import type { EntityStates } from '../../../../../schemas/intelligence/state/entity-state.ts'
import type { Edge, Positioned } from '../../../../../schemas/intelligence/state/stored.ts'
import { viewChange } from '../../../../../schemas/intelligence/state/view-change.ts'
import { migrated } from '../../../../builders/history/shared.ts'
import type { OpenStore } from '../../../../builders/history/stores.ts'
import { positioned } from '../../../../builders/intelligence/changes.ts'
import { HOUR, NOW } from '../../../../builders/intelligence/observation.ts'
import { longer } from '../../../../builders/platform/longer.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const AUDIENCES = [['public'], ['blue'], ['blue', 'red'], ['red']]
const MODES: LinkMode[] = ['association', 'aggregation']
const ENDS = 3

/** Entities of a run are those of no other run, so that all runs share a table. */
const ends = (run: number): string[] => Array.from({ length: ENDS }, (_, n) => entityId('domain', `e${n}-r${run}.test`))

/** Reports of one entity, most of them repeats, which name some of the ends, or the entity itself. */
const report = fc.record({
  audience: fc.constantFrom(...AUDIENCES),
  minutes: fc.nat({ max: 90 }),
  names: fc.uniqueArray(fc.tuple(fc.nat({ max: ENDS }), fc.constantFrom(...MODES)), {
    maxLength: 4,
    selector: ([end, mode]) => `${end} ${mode}`,
  }),
})
type Report = typeof report extends fc.Arbitrary<infer T> ? T : never

function logOf(run: number, reports: readonly Report[]): Positioned[] {
  const source = entityId('domain', `source-r${run}.test`)
  const all = [...ends(run), source]
  return positioned(
    reports.map(({ audience, minutes, names }): Partial<Observation> => {
      const links = names.map(([end, mode]): Link => ({ mode, entityId: all[end]!, relationship: null }))
      const at = { observedAt: NOW + minutes * 60_000, type: 'domain', value: `source-r${run}.test`, entityId: source }
      return { ...at, audience, links }
    }),
  )
}

/** By the log alone: the first record for one of these audiences that names the link. */
const modelled = (log: readonly Positioned[], audiences: readonly bigint[], { source, target, mode }: Stated) =>
  source === target
    ? null
    : (log.find(
        ({ observation: o, audience }) =>
          audiences.includes(audience) &&
          o.entityId === source &&
          o.links.some((link) => link.entityId === target && link.mode === mode),
      )?.offset ?? null)

export function linksTold(open: OpenStore): void {
  const { history } = migrated(open)

  /** As the job stores it, cut into batches. */
  async function applied(log: readonly Positioned[], size: number, name: string): Promise<Change[]> {
    const writes = observationStore(history)
    const changes: Change[] = []
    const groups = new Map<bigint, readonly string[]>()
    let states: ReadonlyMap<string, EntityStates> = new Map()
    for (let i = 0; i < log.length; i += size) {
      const batch = applyBatch(states, log.slice(i, i + size), rules)
      states = new Map([...states, ...batch.states])
      for (const [id, those] of batch.audiences) groups.set(id, those)
      await writes.associations(batch.edges, `${name}:${i}`)
      changes.push(...batch.changes.map((one) => withGroups(one, groups)))
    }
    return changes
  }

  test('first offsets, and what is new in each change, are those of the log, for every reader', async () => {
    let run = 0
    let known = 0
    let fresh = 0
    const logs = fc.array(report, { minLength: 1, maxLength: 14 })
    const readers = fc.subarray(['public', 'blue', 'red', 'green'], { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(logs, fc.integer({ min: 1, max: 5 }), readers, async (reports, size, groups) => {
        const log = logOf(++run, reports)
        const changes = await applied(log, size, `run ${run}`)
        if (run % 5 === 0) await history.command('OPTIMIZE TABLE associations FINAL')
        const reads = (audience: readonly string[]): boolean => audience.some((group) => groups.includes(group))
        const audiences = AUDIENCES.filter(reads).map(audienceId)
        const all = [...ends(run), log[0]!.observation.entityId]
        const links = all.flatMap((source) => all.flatMap((target) => MODES.map((mode) => ({ source, target, mode }))))
        const offsets = await linkStore(history).firstOffsets(links, audiences)
        expect(offsets).toEqual(links.map((link) => modelled(log, audiences, link)))

        const first = new Map(links.map((link, i) => [JSON.stringify(link), offsets[i]]))
        const told = new Set<string>()
        for (const change of changes) {
          const seen = viewChange(change, reads)
          if (seen === 'wide') throw new Error('so few claims are carried')
          for (const { mode, entityId: target } of seen?.links ?? []) {
            const link = JSON.stringify({ source: change.entityId, target, mode })
            const isNew = first.get(link) === change.offset
            if (target !== change.entityId) expect(isNew).toBe(!told.has(link))
            isNew ? fresh++ : known++
            told.add(link)
          }
        }
        for (const [link, offset] of first) if (offset !== null) expect(told).toContain(link)
      }),
      { numRuns: longer(15) },
    )
    expect(Math.min(known, fresh)).toBeGreaterThan(0)
  }, 240_000)

  const HUB = entityId('domain', 'hub.test')
  const endOf = (n: number): string => `ip-${n.toString(16).padStart(64, '0')}`
  const hubLink = (n: number): Stated => ({ source: HUB, target: endOf(n), mode: 'association' })
  const hubEdge = (n: number): Edge => ({
    entityId: HUB,
    relatedId: endOf(n),
    mode: 'association',
    relationship: null,
    audience: 7n,
    seenAt: NOW,
    offset: n,
  })

  describe('of an entity that names 100,000 others', () => {
    beforeAll(async () => {
      const writes = observationStore(history)
      for (let from = 0; from < 100_000; from += 20_000)
        await writes.associations(
          Array.from({ length: 20_000 }, (_, i) => hubEdge(from + i)),
          `hub ${from}`,
        )
      await history.command('OPTIMIZE TABLE associations FINAL')
    }, 120_000)

    test('one is found without reading the others', async () => {
      const read = async (): Promise<number> => {
        const sql = "SELECT value FROM system.events WHERE event = 'SelectedRows'"
        return Number((await history.query<{ value: string }>({ sql, params: {} }))[0]!.value)
      }
      const before = await read()
      expect(await linkStore(history).firstOffsets([hubLink(77_777)], [7n])).toEqual([77_777])
      expect((await read()) - before).toBeLessThan(5_000)
    })

    test('thousands are asked about at once, in any order, some twice and some unknown; too many are refused', async () => {
      const asked = Array.from({ length: 2_500 }, (_, i) => (i * 7_919) % 120_000)
      const numbers = [...asked, ...asked.slice(0, 10)]
      const offsets = await linkStore(history).firstOffsets(numbers.map(hubLink), [6n, 7n])
      expect(offsets).toEqual(numbers.map((n) => (n < 100_000 ? n : null)))
      const many = Array.from({ length: MOST_LINKS + 1 }, () => hubLink(1))
      await expect(linkStore(history).firstOffsets(many, [7n])).rejects.toThrow(`more than ${MOST_LINKS} links`)
    })
  })

  test('nothing is known to a reader of no audience', async () => {
    expect(await linkStore(history).firstOffsets([hubLink(1)], [])).toEqual([null])
  })
}
