import { beforeAll, describe, expect, test } from 'vitest'
import { coverings } from '../../../../api/intelligence/services/entity/covering.ts'
import { entityViews } from '../../../../api/intelligence/services/entity/entity-views.ts'
import { readers } from '../../../../api/intelligence/services/readers.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import { propagationStore } from '../../../../connectors/history/stores/propagation-store.ts'
import { coveredRecord } from '../../../../pipelines/processors/intelligence/marks/covered-record.ts'
import { systemRecord } from '../../../../pipelines/processors/intelligence/system-record.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { isCoveredBy, type TypedValue } from '../../../../schemas/intelligence/propagation/coverage.ts'
import { observing } from '../../../builders/history/applied.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { NOW, observation } from '../../../builders/intelligence/observation.ts'

const V6 = '2001:db8:0:1::5'

export function networksAndMarks(open: OpenStore): void {
  const { history } = migrated(open)
  const apply = observing(history)

  beforeAll(async () => {
    await apply([
      observation({ type: 'cidr', value: '203.0.113.0/24', tags: ['hosting'] }),
      observation({ type: 'cidr', value: '203.0.112.0/22', audience: ['blue'], reputation: -2 }),
      observation({ type: 'cidr', value: '203.0.113.0/25', reputation: 3 }),
      observation({
        type: 'cidr',
        value: '203.0.113.0/25',
        reputation: -1,
        source: 's2',
        audience: ['blue'],
        tags: ['b'],
      }),
      observation({ type: 'cidr', value: '2001:db8::/32' }),
      observation({ type: 'cidr', value: '::fffe:0:0/95' }),
      observation({ type: 'ip', value: '203.0.113.5' }),
      observation({ type: 'ip', value: '203.0.113.6', audience: ['blue'] }),
      observation({ type: 'ip', value: '203.0.113.7', reputation: 1 }),
      observation({ type: 'ip', value: V6 }),
      observation({ type: 'url', value: 'https://a.example.com/' }),
      observation({ type: 'domain', value: 'notexample.com' }),
    ])
  })

  for (const few of [0, 500])
    describe(`the networks around addresses, ${few === 0 ? 'of all' : 'of those the store picks'}`, () => {
      const told = async (ips: string[], groups: string[] = []) => {
        const reader = await readers(history, () => NOW).of(['public', ...groups])
        const found = await coverings(history, entityViews(history), () => NOW, { few, all: 0 }).covering(reader, ips)
        return Object.fromEntries(
          [...found].map(([ip, by]) => [ip, by.map((n) => `${n.value} ${n.reputation} ${n.tags.join()}`)]),
        )
      }

      test('are those that the reader may know, most specific first, folded as the reader knows them', async () => {
        expect(await told(['203.0.113.5', '203.0.113.200', '198.51.100.1', V6])).toEqual({
          '203.0.113.5': ['203.0.113.0/25 3 ', '203.0.113.0/24 -3 hosting'],
          '203.0.113.200': ['203.0.113.0/24 -3 hosting'],
          [V6]: ['2001:db8::/32 -3 '],
        })
        expect(await told(['203.0.113.5', '203.0.115.1'], ['blue'])).toEqual({
          '203.0.113.5': ['203.0.113.0/25 1 b', '203.0.113.0/24 -3 hosting', '203.0.112.0/22 -2 '],
          '203.0.115.1': ['203.0.112.0/22 -2 '],
        })
        expect(await told([])).toEqual({})
      })
    })

  test('an answer about a network has its id and its times', async () => {
    const reader = await readers(history, () => NOW).of(['public'])
    const found = await coverings(history, entityViews(history), () => NOW).covering(reader, ['203.0.113.200'])
    expect(found.get('203.0.113.200')).toEqual([
      {
        id: entityId('cidr', '203.0.113.0/24'),
        value: '203.0.113.0/24',
        reputation: -3,
        accuracy: 1,
        wellKnown: false,
        tags: ['hosting'],
        lastSeen: new Date(NOW).toISOString(),
      },
    ])
  })

  const under = async (
    marks: TypedValue[],
    limit = 100,
    which: 'uncovered' | 'covered' = 'uncovered',
  ): Promise<string[]> => {
    const found: TypedValue[] = []
    for (let after: bigint | null = 0n; after !== null; ) {
      const page = await propagationStore(history).page(which, marks, after, limit)
      found.push(...page.entities)
      if (page.next !== null) expect(page.next).toBeGreaterThan(after)
      after = page.next
    }
    return found.filter((entity) => marks.some((mark) => isCoveredBy(entity, mark))).map((e) => e.value)
  }
  const byKey = (values: string[]): string[] => values.sort()

  test('what lies under marks without their floor is found, of every audience, in pages of any size', async () => {
    const marks = ['203.0.113.0/24', '2001:db8::/32'].map((value) => ({ type: 'cidr', value }))
    for (const limit of [1, 2, 100])
      expect(byKey(await under(marks, limit))).toEqual(
        byKey(['203.0.113.0/25', '203.0.113.5', '203.0.113.6', '203.0.113.7', V6]),
      )
    expect(await under([{ type: 'domain', value: 'example.com' }])).toEqual(['https://a.example.com/'])
  })

  test('what was floored is found no more, and is not well known for it', async () => {
    const mark = { type: 'cidr', value: '203.0.113.0/24' }
    const names: TypedValue[] = ['203.0.113.5', '203.0.113.6', '203.0.113.7'].map((value) => ({ type: 'ip', value }))
    await apply([...names, { type: 'cidr', value: '203.0.113.0/25' }].map((entity) => coveredRecord(entity, mark, NOW)))
    expect(await under([mark])).toEqual([])
    const rows = await observationStore(history).rowsOf(names.map((e) => entityId(e.type, e.value)))
    const floored = { covered: true, wellKnown: false, covers: false }
    expect(rows.sort((a, b) => (a.value < b.value ? -1 : 1))).toMatchObject([
      { value: '203.0.113.5', reputation: 0, ...floored },
      { value: '203.0.113.6', reputation: 0, ...floored },
      { value: '203.0.113.7', reputation: 1, ...floored },
    ])
  })

  test('marks that cover are told with the time when they were stored, others are not', async () => {
    const mark = (value: string, covers: boolean) =>
      observation({ type: 'cidr', value, kind: 'well_known', reputation: null, covers })
    const began = Date.now()
    await apply([mark('198.51.100.0/24', true), mark('192.0.2.0/24', false)])
    const marks = await propagationStore(history).marks(0, 10)
    expect(marks).toMatchObject([{ type: 'cidr', value: '198.51.100.0/24' }])
    expect(marks[0]!.added).toBeGreaterThan(began - 60_000)
    expect(marks[0]).toMatchObject({ holds: true, version: expect.any(Number) })
    expect(await propagationStore(history).marks(marks[0]!.added + 1, 10)).toEqual([])
  })

  test('what has a floor is found under cleared marks, of every audience, until it is uncovered', async () => {
    const mark = { type: 'cidr', value: '203.0.113.0/24' }
    expect(byKey(await under([mark], 1, 'covered'))).toEqual(
      byKey(['203.0.113.0/25', '203.0.113.5', '203.0.113.6', '203.0.113.7']),
    )
    await apply([coveredRecord({ type: 'ip', value: '203.0.113.6' }, mark, NOW + 1, 'uncovered')])
    expect(byKey(await under([mark], 1, 'covered'))).toEqual(byKey(['203.0.113.0/25', '203.0.113.5', '203.0.113.7']))
    expect(await under([mark])).toEqual(['203.0.113.6'])
  })

  test('a mark that was cleared is told with the version of its row, and when it is set again', async () => {
    const value = '198.51.100.0/24'
    const record = observation({ type: 'cidr', value })
    const { id, submissionId } = record
    const cleared = systemRecord(record, { id, submissionId, source: 'admin', kind: 'unmark', observedAt: NOW + 1 })
    await apply([cleared])
    const latest = async () => {
      const lines = await propagationStore(history).marks(0, 100)
      return lines.filter((line) => line.value === value).sort((a, b) => b.version - a.version)[0]!
    }
    const first = await latest()
    expect(first.holds).toBe(false)
    await apply([{ ...record, kind: 'well_known', reputation: null, covers: true, observedAt: NOW + 2 }])
    const second = await latest()
    expect(second.holds).toBe(true)
    expect(second.version).toBeGreaterThan(first.version)
  })
}
