import { afterEach, describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../../platform/random.ts'
import { type IndexWorld, indexWorld } from '../../../../builders/lookups/index-world.ts'
import { longer } from '../../../../builders/platform/longer.ts'

const worlds: IndexWorld[] = []
function made(partitions?: number): IndexWorld {
  const one = indexWorld(partitions)
  worlds.push(one)
  return one
}
afterEach(() => {
  for (const { world } of worlds.splice(0)) expect(world.faults).toEqual([])
})

/** Two values that are stored, and a third that comes. */
async function following(partitions?: number) {
  const one = made(partitions)
  one.observe('a')
  one.observe('b')
  const run = one.run()
  await one.tick()
  return { ...one, ...run }
}
type Followed = Awaited<ReturnType<typeof following>>

const caughtUp = async ({ deliver, tick }: Pick<IndexWorld, 'deliver' | 'tick'>): Promise<void> => {
  await tick()
  await deliver()
  await tick()
}

test('an index is built from the tables, and read once it has what was on the log by then', async () => {
  const { world, ...one } = made()
  one.observe('a')
  one.observe('b')
  world.step = async (step) => {
    // While it is built, records go on.
    if (step === 'scan' && one.tables.size === 2) one.observe('c')
    if (step === 'scan') expect(world.current).toBeNull()
  }
  const { stop } = one.run()
  await one.tick()
  expect([world.follows, one.asOf()]).toEqual([[[2]], 0])
  await one.deliver()
  await one.tick()
  expect(one.asOf()).toBeGreaterThan(0)
  expect(one.said()).toEqual({ a: '1', b: '2', c: '3' })
  expect(world.reports).toEqual([expect.objectContaining({ kind: 'built', entities: 2 })])
  expect(await stop()).toBe('stopped')
  expect(world.current).toMatchObject({ open: false, state: { complete: true, positions: [3] } })
})

test('what is on the log before it is built is waited for, until it is stored', async () => {
  const { world, ...one } = made()
  one.observe('a')
  const stored = Promise.withResolvers<void>()
  world.step = async (step) => {
    if (step === 'stored') await stored.promise
  }
  const { stop } = one.run()
  await one.tick()
  expect(world.others).toEqual([])
  stored.resolve()
  await one.tick()
  expect(one.said()).toEqual({ a: '1' })
  await stop()
})

test('changes are applied as they come, and the index is as of the last look that was reached', async () => {
  const { world, stop, ...one } = await following()
  const before = one.asOf()!
  one.observe('c')
  const at = world.clock
  await one.tick()
  // The look of now is not reached.
  expect(one.asOf()).toBe(before)
  await one.deliver()
  expect(one.said()).toEqual({ a: '1', b: '2', c: '3' })
  expect(one.asOf()).toBeGreaterThanOrEqual(at)
  const reached = one.asOf()
  await one.tick()
  await one.tick()
  expect(one.asOf()).toBeGreaterThan(reached!)
  await stop()
})

test('of several changes of an entity in a batch the last one stands', async () => {
  const { world, stop, ...one } = await following()
  for (let i = 0; i < 5; i++) one.observe(i % 2 === 0 ? 'a' : 'b')
  await one.deliver()
  expect(one.said()).toEqual({ a: '7', b: '6' })
  expect(world.current!.state).toMatchObject({
    positions: [7],
    last: [{ offset: 6, observationId: '0-7' }],
    applied: { '0 0': 7 },
  })
  await stop()
})

describe('an index that is there', () => {
  async function resumed(change: (one: Followed) => void) {
    const one = await following()
    await caughtUp(one)
    await one.stop()
    change(one)
    one.world.reports = []
    const again = one.run()
    await one.tick()
    return { ...one, ...again }
  }

  test('is gone on with from where it is', async () => {
    const { world, stop, ...one } = await resumed((one) => one.observe('c'))
    expect([world.reports, world.follows]).toEqual([[], [[2], [2]]])
    await one.deliver()
    expect(one.said()).toEqual({ a: '1', b: '2', c: '3' })
    await stop()
  })

  test.each<[string, (one: Followed) => void]>([
    ['the log is another one', (one) => one.renew()],
    ['other tables are live', (one) => (one.world.database = 'promoted')],
    ['the log does not keep what follows', (one) => one.observe('c') && one.dropBefore(0, 3)],
    ['it is ahead of the log', (one) => (one.world.current!.state.positions = [7] as never)],
    ['the log has fewer partitions', (one) => (one.world.current!.state.positions = [2, 0] as never)],
  ])('is built anew where %s', async (_, change) => {
    const { world, stop, ...one } = await resumed(change)
    expect(world.reports).toEqual([expect.objectContaining({ kind: 'built' })])
    expect(one.said()).toEqual(Object.fromEntries(one.tables))
    await stop()
  })

  test('goes on where partitions were added, from their beginning', async () => {
    const { world, stop, ...one } = await resumed((one) => {
      one.addPartition()
      one.addPartition()
      one.observe('d', 1)
      one.observe('e', 2)
    })
    expect([world.reports, world.follows.at(-1)]).toEqual([[], [2, 0, 0]])
    await one.deliver()
    await one.tick()
    expect(one.said()).toEqual({ a: '1', b: '2', d: '3', e: '4' })
    expect(world.current!.state.positions).toEqual([2, 1, 1])
    expect(one.asOf()).toBeGreaterThan(0)
    await stop()
  })

  test('is closed where the log cannot be asked, and is there for the next try', async () => {
    const { world, ended, ...one } = await resumed((one) => {
      one.world.step = async (step) => {
        if (step === 'changeBefore') throw new Error('the log is away')
      }
    })
    await expect(ended).rejects.toThrow('the log is away')
    expect(world.current?.open).toBe(false)
    world.step = async () => undefined
    const { stop } = one.run()
    await one.tick()
    expect(world.reports).toEqual([])
    await stop()
  })
})

test('partitions that are added while it follows count from their beginning', async () => {
  const { world, stop, ...one } = await following()
  for (let i = 0; i < 3; i++) one.addPartition()
  const before = one.asOf()
  one.observe('d', 3)
  await one.tick()
  expect(one.asOf()).toBe(before)
  await one.deliver()
  expect(world.current!.state.positions).toEqual([2, 0, 0, 1])
  expect(world.current!.state.last).toEqual([expect.anything(), null, null, expect.anything()])
  await stop()
})

describe('an index ends', () => {
  test('where other tables come to be live, and is removed', async () => {
    const { world, ended, ...one } = await following()
    world.database = 'promoted'
    for (let i = 0; i < 5; i++) await one.tick()
    expect(await ended).toBe('other tables')
    expect(world.current).toBeNull()
  })

  test('where the log does not keep what follows, and is removed', async () => {
    const { world, ended, ...one } = await following()
    const { NotKept } = await import('../../../../../connectors/operations/changes/port.ts')
    one.fail(new NotKept('gone'))
    expect(await ended).toBe('other tables')
    expect(world.current).toBeNull()
  })

  test('where nobody asks any more, and is removed', async () => {
    const { world, ended, ...one } = await following()
    world.wanted = false
    for (let i = 0; i < 5; i++) await one.tick()
    expect(await ended).toBe('unwanted')
    expect(world.current).toBeNull()
  })

  test('where it is too large while it is built, and none is left', async () => {
    const { world, ...one } = made()
    for (const value of 'abcdefgh') one.observe(value)
    const { ended } = one.run({ maxBytes: 4 })
    expect(await ended).toBe('too large')
    expect(world.reports).toEqual([{ kind: 'too large', bytes: 6 }])
    expect([world.current, ...world.others.map(({ open }) => open)]).toEqual([null, false])
  })

  test('where it becomes too large, and is removed', async () => {
    const { world, ended, ...one } = await following()
    world.weight = 501
    await one.tick()
    expect(await ended).toBe('too large')
    expect(world.reports.at(-1)).toEqual({ kind: 'too large', bytes: 1002 })
    expect(world.current).toBeNull()
  })

  test('with what the log failed with, and is gone on with', async () => {
    const { world, ended, ...one } = await following()
    one.fail(new Error('no broker'))
    await expect(ended).rejects.toThrow('no broker')
    expect(world.current).toMatchObject({ open: false })
    const { stop } = one.run()
    await one.tick()
    expect(world.reports).toHaveLength(1)
    await stop()
  })
})

/** Runs it with something that happens at its n-th step, for every n that there is. */
async function atEachStep(happens: (n: number, one: IndexWorld) => Promise<number>): Promise<void> {
  const steps = await happens(NEVER, made(2))
  expect(steps).toBeGreaterThan(15)
  for (let n = 0; n < steps; n++) await happens(n, made(2))
}
const NEVER = 1_000

/** Changes of two partitions, some of them of an older release, while it goes on. */
async function recordsWhile({ observe, deliver, tick }: IndexWorld): Promise<void> {
  for (const value of 'abc') observe(value)
  await tick()
  observe('a')
  observe('d', 1)
  await deliver(1)
  observe('b', 0, { old: true })
  await Promise.race([deliver(), tick().then(tick)])
  await tick()
}

test('a stop at any step leaves an index that is gone on with, or none', async () => {
  await atEachStep(async (n, one) => {
    const { world } = one
    let steps = 0
    const run = one.run()
    world.step = async () => {
      if (steps++ === n) run.abort()
    }
    await recordsWhile(one)
    expect(await run.stop()).toBe('stopped')
    for (const { open } of world.others) expect(open).toBe(false)
    const of = steps
    await goneOnWith(one)
    return of
  })
})

test('a write, a look at the log or at the tables that fails leaves an index that is gone on with, or none', async () => {
  await atEachStep(async (n, one) => {
    const { world } = one
    let steps = 0
    const run = one.run()
    world.step = async () => {
      if (steps++ === n) throw new Error('no room')
    }
    await recordsWhile(one)
    expect(await run.stop().catch((error: Error) => error.message)).toMatch(/^(stopped|no room)$/)
    for (const { open } of world.others) expect(open).toBe(false)
    const of = steps
    await goneOnWith(one)
    return of
  })
})

/** The next run comes to what the tables say. */
async function goneOnWith(one: IndexWorld): Promise<void> {
  one.world.step = async () => undefined
  const run = one.run()
  await one.tick()
  const delivered = one.deliver()
  for (let i = 0; i < 4; i++) await one.tick()
  await delivered
  await one.tick()
  expect(one.said()).toEqual(Object.fromEntries(one.tables))
  expect(one.asOf()).toBeGreaterThan(0)
  await run.stop()
}

describe('what was sent again', () => {
  test('is not applied backwards', async () => {
    const { world, stop, ...one } = await following()
    for (const value of ['a', 'b', 'a']) one.observe(value)
    await one.deliver()
    world.batch = 1
    one.observe('a', 0, { again: 3 })
    one.observe('b', 0, { again: 4 })
    one.observe('a', 0, { again: 5 })
    await one.tick()
    await one.deliver()
    expect(one.said()).toEqual({ a: '5', b: '4' })
    expect(world.current!.state.positions).toEqual([8])
    await stop()
  })

  test('is not applied backwards by who goes on with the index in the middle of it', async () => {
    const { world, stop, ...one } = await following()
    for (const value of ['a', 'b', 'a']) one.observe(value)
    await caughtUp(one)
    one.observe('a', 0, { again: 3 })
    world.batch = 1
    await one.deliver(1)
    await stop()
    one.observe('b', 0, { again: 4 })
    one.observe('a', 0, { again: 5 })
    const again = one.run()
    await caughtUp(one)
    expect(one.said()).toEqual({ a: '5', b: '4' })
    await again.stop()
  })

  test('of one partition of the observations is told from what another one sent', async () => {
    const { stop, ...one } = await following()
    one.observe('a', 0, { from: 1 })
    one.observe('c', 0, { from: 2, again: 1 })
    await one.deliver()
    expect(one.said()).toEqual({ a: '3', b: '2', c: '1' })
    await stop()
  })

  test('counts as applied only once it was written', async () => {
    const { ended, ...one } = await following(2)
    const { world } = one
    one.observe('a')
    one.observe('c', 1)
    let writes = 0
    world.step = async (step) => {
      if (step === 'write' && writes++ === 0) throw new Error('no room')
    }
    await one.deliver()
    await expect(ended).rejects.toThrow('no room')
    await goneOnWith(one)
  })
})

describe('a record of an older release', () => {
  test('is read where it is stored, and the store answers until what was on the log by then is applied', async () => {
    const { world, stop, ...one } = await following()
    await caughtUp(one)
    expect(one.asOf()).toBeGreaterThan(0)
    one.observe('a', 0, { old: true })
    one.observe('a')
    one.observe('a')
    world.batch = 1
    const reads: (number | null)[] = []
    world.step = async (step) => {
      if (step === 'stored rows') reads.push(one.asOf())
    }
    const delivered = one.deliver(2)
    await one.tick()
    await one.tick()
    await delivered
    // It goes back to a row that was read before, which nobody sees.
    expect([one.said(), one.asOf(), reads]).toEqual([{ a: '4', b: '2' }, 0, [0]])
    await one.tick()
    expect(one.asOf()).toBe(0)
    await one.deliver()
    await one.tick()
    expect(one.said()).toEqual({ a: '5', b: '2' })
    expect(one.asOf()).toBeGreaterThan(0)
    await stop()
  })

  test('is read no more where a later one of its entity says all', async () => {
    const { world, stop, ...one } = await following()
    one.observe('a', 0, { old: true })
    one.observe('a')
    const read: string[] = []
    world.step = async (step) => void read.push(step)
    await one.deliver()
    expect(one.said()).toEqual({ a: '4', b: '2' })
    expect(read).not.toContain('stored rows')
    await stop()
  })
})

test('what could not be written does not count for what the index is as of', async () => {
  const { ended, ...one } = await following()
  const { world } = one
  await caughtUp(one)
  const before = one.asOf()
  one.observe('a')
  await one.tick()
  let writes = 0
  world.step = async (step) => {
    if (step === 'write' && writes++ === 0) throw new Error('no room')
  }
  const delivered = one.deliver()
  await one.tick()
  await delivered
  await expect(ended).rejects.toThrow('no room')
  expect([one.said(), one.asOf()]).toEqual([{ a: '1', b: '2' }, before])
  await goneOnWith(one)
})

test('whatever comes, ends and begins again, the index comes to what the tables say, and never goes back', async () => {
  for (let seed = 1; seed <= longer(60); seed++) {
    const random = seededRandom(seed)
    const below = (n: number): number => Math.floor(random() * n)
    const one = made(2)
    const { world } = one
    // Records go on in the middle of each step.
    const usual = async (step: string): Promise<void> => {
      const isBetween = ['stored rows', 'kept', 'scan', 'the way back'].includes(step)
      if (isBetween && random() < 0.3) one.observe('abc'[below(3)]!, 0, { old: random() < 0.1 })
      if (random() < 0.3) await new Promise(setImmediate)
    }
    world.step = usual
    let run = one.run()
    for (let step = 0; step < 40; step++) {
      world.batch = 1 + below(4)
      const what = random()
      const value = 'abcdef'[below(6)]!
      if (what < 0.45) one.observe(value, value < 'd' ? 0 : 1, { old: random() < 0.1 })
      else if (what < 0.75) void one.deliver(1 + below(3))
      else if (what < 0.9) await one.tick()
      else if (what < 0.95) {
        await run.stop()
        run = one.run()
      } else {
        let writes = below(4)
        world.step = async (step) => {
          if (step === 'write' && writes-- === 0) throw new Error('no room')
          await usual(step)
        }
        await one.tick()
        await run.stop().catch(() => undefined)
        world.step = usual
        run = one.run()
      }
    }
    await run.stop()
    await goneOnWith(one)
    expect(world.faults, `seed ${seed}`).toEqual([])
  }
})
