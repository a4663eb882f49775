import { expect, test } from 'vitest'
import { logStatedObjects } from '../../../../connectors/operations/stated-objects/objects.ts'
import {
  dueObjects,
  type Ended,
  endedClaims,
  type KnownVersions,
  MOST_OBJECTS,
} from '../../../../pipelines/retract/due-objects.ts'
import { seededRandom } from '../../../../platform/random.ts'
import {
  pairOf,
  restated,
  type StatedObject,
  type TakenBack,
  withdrawn,
} from '../../../../schemas/intelligence/observations/stated-object.ts'
import { memoryLog } from '../../../builders/log/memory-log.ts'
import { longer } from '../../../builders/platform/longer.ts'

const SOURCES = ['feed:a', 'feed:b']
const claimOf = (pair: number, until = 0) => ({ entityId: `ip-${pair}`, audience: 1n, until })

/** The job without the rows: what it would take back, and what it remembers. */
function world(objects = logStatedObjects(memoryLog())) {
  let known: KnownVersions = { resting: new Map(), taken: new Map() }
  return {
    objects,
    known: () => known,
    async turn(now: number): Promise<{ ended: Ended[]; more: boolean; next: number }> {
      const first = dueObjects(now, known)
      await objects.read(first.visit)
      const { pairs, next, more, versions } = first.found()
      known = versions
      const second = endedClaims(now, pairs)
      await objects.read(second.visit)
      const { ended, resting } = second.found()
      for (const [offset, over] of resting) known.resting.set(offset, over)
      const marks = new Set<TakenBack>()
      for (const { claim, of } of ended)
        for (const mark of of) {
          mark.pairs.push(pairOf(claim))
          marks.add(mark)
        }
      await objects.tookBack([...marks])
      for (const { offset, pairs } of marks) known.taken.set(offset, pairs.length)
      return { ended, more, next }
    },
  }
}

const keyOf = ({ source, claim }: Ended): string => `${source} ${pairOf(claim)}`

test('a claim is taken back once nobody of its source claims it, over all the time that it was claimed', async () => {
  for (let seed = 1; seed <= longer(20); seed++) {
    const next = seededRandom(seed)
    const pick = (n: number): number => Math.floor(next() * n)
    let { objects, turn } = world()
    const known = new Map<string, StatedObject>()
    /** By source and pair: from when to when it was claimed since it was last taken back. */
    const counts = new Map<string, { from: number; to: number }>()
    for (let now = 1; now <= 60; now++) {
      const [source, id] = [SOURCES[pick(2)]!, `o${pick(4)}`]
      const key = `${source} ${id}`
      const claims = Array.from({ length: pick(3) }, () => claimOf(pick(4), pick(3) === 0 ? now + 1 + pick(8) : 0))
      const distinct = [...new Map(claims.map((claim) => [pairOf(claim), claim])).values()]
      const found = (await objects.find(source, new Set([id]))).get(id)
      const said = { source, id, version: String(now).padStart(4, '0') }
      const object = pick(4) === 0 ? withdrawn(found, said) : restated(found, { ...said, at: now, claims: distinct })
      await objects.put([object!])
      known.set(key, object!)
      for (const claim of object!.claims) {
        const pair = `${source} ${pairOf(claim)}`
        const before = counts.get(pair)
        counts.set(pair, { from: before?.from ?? now, to: now })
      }
      // A process that knows nothing goes on.
      if (pick(5) === 0) ({ objects, turn } = world(objects))
      if (pick(2) === 0) continue
      const live = new Set(
        [...known.values()].flatMap((one) =>
          one.claims.filter(({ until }) => until === 0 || until > now).map((claim) => `${one.source} ${pairOf(claim)}`),
        ),
      )
      const want = [...counts.keys()].filter((pair) => !live.has(pair)).sort()
      const { ended } = await turn(now)
      expect(ended.map(keyOf).sort(), `seed ${seed} at ${now}`).toEqual(want)
      for (const one of ended) {
        const window = counts.get(keyOf(one))!
        expect({ from: one.claim.from, to: one.claim.to }).toEqual(window)
        counts.delete(keyOf(one))
      }
      expect((await turn(now)).ended).toEqual([])
    }
  }
})

test('the next end is named, and more than one turn takes is taken by several', async () => {
  const { objects, turn } = world()
  const many = Array.from({ length: MOST_OBJECTS + 10 }, (_, n) =>
    restated(undefined, { source: 'feed:a', id: `o${n}`, version: '1', at: 1, claims: [claimOf(n, 50)] }),
  )
  await objects.put(many.map((object) => object!))
  expect(await turn(10)).toMatchObject({ ended: [], next: 50, more: false })
  const first = await turn(50)
  expect([first.ended.length, first.more]).toEqual([MOST_OBJECTS, true])
  const second = await turn(50)
  expect([second.ended.length, second.more]).toEqual([10, false])
  expect((await turn(50)).ended).toEqual([])
})

test('objects that wait for others are all looked at once, and what is known of them is kept while they are there', async () => {
  const { objects, turn, known } = world()
  const count = 2 * MOST_OBJECTS
  const said = (id: string, version: string) => ({ source: 'feed:a', id, version })
  const old = Array.from({ length: count }, (_, n) =>
    restated(undefined, { ...said(`old${n}`, '1'), at: 1, claims: [claimOf(n)] }),
  )
  const present = Array.from({ length: count }, (_, n) =>
    restated(undefined, { ...said(`new${n}`, '1'), at: 2, claims: [claimOf(n)] }),
  )
  await objects.put(present.map((object) => object!))
  await objects.put(old.map((object, n) => withdrawn(object!, said(`old${n}`, '2'))!))
  expect((await turn(10)).more).toBe(true)
  expect(await turn(10)).toMatchObject({ ended: [], more: false })
  expect(known().resting.size).toBe(count)
  await objects.put([withdrawn(present[7]!, said('new7', '2'))!])
  const { ended, more } = await turn(10)
  expect([ended.map(keyOf), more]).toEqual([['feed:a ip-7 1'], false])
  await turn(10)
  expect([known().resting.size, known().taken.size]).toEqual([count - 1, 2])
})
