import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanObservations } from '../../../../../pipelines/processors/scans/scan-findings.ts'
import type {
  SubmittedAssociation,
  SubmittedEntity,
} from '../../../../../schemas/intelligence/observations/observation.ts'

const SCAN = {
  id: '0191e7a0-0000-7000-8000-000000000001',
  round: 0,
  startedAt: 1_800_000_000_000,
  userId: 'user-1',
  source: 'customer-1',
  trust: 0.9,
  audience: ['blue', 'red'],
}
const ip = (value: string, associations: SubmittedAssociation[] = []): SubmittedEntity => ({
  type: 'ip',
  attributes: { ip: value },
  associations,
})
const below = (type: string, value: string, associations: SubmittedAssociation[] = []): SubmittedAssociation => ({
  mode: 'association',
  type,
  attributes: { [type]: value },
  associations,
})

describe('findings', () => {
  test('are sightings of whoever asked, by a scan, when its first run began', () => {
    const { observations, entities, cut } = scanObservations(SCAN, [ip('8.8.8.8', [below('hostname', 'dns.google')])])
    expect([entities, cut]).toEqual([2, false])
    for (const observation of observations)
      expect(observation).toMatchObject({
        userId: 'user-1',
        source: 'customer-1',
        sourceKind: 'scan',
        trust: 0.9,
        kind: 'report',
        audience: ['blue', 'red'],
        observedAt: SCAN.startedAt,
        reputation: null,
      })
    expect(observations[0]!.links).toEqual([
      { mode: 'association', entityId: observations[1]!.entityId, relationship: null },
    ])
  })

  test('that cannot be entities are left out, and what hangs on them moves up', () => {
    const found = [
      ip('127.0.0.1', [
        below('hostname', 'a.example.com'),
        below('port', 'none', [below('hostname', 'b.example.com')]),
      ]),
    ]
    expect(scanObservations(SCAN, found).observations.map(({ value }) => value)).toEqual([
      'a.example.com',
      'b.example.com',
    ])
    expect(scanObservations(SCAN, [ip('no address')])).toEqual({ observations: [], entities: 0, cut: false })
    expect(scanObservations(SCAN, [])).toEqual({ observations: [], entities: 0, cut: false })
  })

  test('beyond a thousand entities are cut, and that is said', () => {
    const names = (n: number) => Array.from({ length: n }, (_, i) => below('hostname', `h${i}.example.com`))
    expect(scanObservations(SCAN, [ip('8.8.8.8', names(999))])).toMatchObject({ entities: 1_000, cut: false })
    expect(scanObservations(SCAN, [ip('8.8.8.8', names(1_000))])).toMatchObject({ entities: 1_000, cut: true })
    expect(scanObservations(SCAN, [ip('8.8.8.8', names(600)), ip('8.8.4.4', names(600))])).toMatchObject({ cut: true })
  })

  test('below ten levels are cut', () => {
    const deep = (levels: number): SubmittedAssociation[] =>
      levels === 0 ? [] : [below('hostname', `level${levels}.example.com`, deep(levels - 1))]
    expect(scanObservations(SCAN, [ip('8.8.8.8', deep(10))])).toMatchObject({ entities: 11, cut: false })
    expect(scanObservations(SCAN, [ip('8.8.8.8', deep(11))])).toMatchObject({ entities: 11, cut: true })
  })

  test('that are the same have the same ids, of another round others', () => {
    const found = [ip('8.8.8.8', [below('hostname', 'dns.google')])]
    const ids = (scan: typeof SCAN) => scanObservations(scan, found).observations.map(({ id }) => id)
    expect(ids(SCAN)).toEqual(ids({ ...SCAN }))
    expect(ids({ ...SCAN, round: 1 }).filter((id) => ids(SCAN).includes(id))).toEqual([])
  })
})

test('whatever is found, what is submitted is valid and within the bounds', () => {
  const value = fc.oneof(fc.ipV4(), fc.domain(), fc.string())
  const type = fc.constantFrom('ip', 'hostname', 'port', 'no-such-type', '__proto__')
  const tree = (levels: number): fc.Arbitrary<SubmittedAssociation> =>
    fc.record({
      mode: fc.constantFrom('association' as const, 'aggregation' as const),
      type,
      attributes: fc.dictionary(type, value, { maxKeys: 2 }),
      associations: levels === 0 ? fc.constant([]) : fc.array(tree(levels - 1), { maxLength: 3 }),
    })
  fc.assert(
    fc.property(fc.array(tree(3), { maxLength: 4 }), (found) => {
      const { observations, entities } = scanObservations(SCAN, found)
      expect(entities).toBeLessThanOrEqual(1_000)
      expect(new Set(observations.map(({ id }) => id)).size).toBe(observations.length)
      const known = new Set(observations.map(({ entityId }) => entityId))
      for (const { links } of observations) for (const link of links) expect(known.has(link.entityId)).toBe(true)
    }),
  )
})
