import { afterEach, describe, expect, test } from 'vitest'
import { OffsetGone } from '../../../../../connectors/log/port.ts'
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

/** Until an index is built there are two pauses: that of the job, and that until jobs know of it. */
async function built({ tick }: Pick<IndexWorld, 'tick'>): Promise<void> {
  await tick()
  await tick()
}

/** Two values that are stored, of which an index is made that goes on. */
async function following(partitions?: number) {
  const one = made(partitions)
  one.report('a')
  one.report('b')
  const run = one.run()
  await built(one)
  return Object.assign(one, run)
}
type Followed = Awaited<ReturnType<typeof following>>

const caughtUp = async ({ deliver, tick }: Pick<IndexWorld, 'deliver' | 'tick'>): Promise<void> => {
  await tick()
  await deliver()
  await tick()
}

test('it is said that an index is wanted before it is built, and again while it is kept', async () => {
  const one = made()
  const { world } = one
  const said: string[] = []
  world.step = async (step) => void said.push(step)
  const { stop } = one.run()
  await one.tick()
  expect(said.slice(0, 2)).toEqual(['want', 'live'])
  expect(said).not.toContain('scan')
  await one.tick()
  expect(said).toContain('scan')
  await one.tick()
  expect(world.said.length).toBeGreaterThan(1)
  expect(world.said[0]).toBe(1 + 2 * 60 * 60_000)
  await stop()
})

test('an index is built from the tables, and read once it has what was stored by then', async () => {
  const one = made()
  const { world } = one
  one.report('a')
  one.report('b')
  world.step = async (step) => {
    // While it is built, jobs go on.
    if (step === 'scan' && one.tables.size === 2) one.report('c')
    if (step === 'scan') expect(world.current).toBeNull()
  }
  const { stop } = one.run()
  await built(one)
  expect([world.follows, one.asOf()]).toEqual([[2], 0])
  await one.deliver()
  await one.tick()
  expect(one.asOf()).toBeGreaterThan(0)
  expect(one.said()).toEqual({ a: 1, b: 2, c: 3 })
  expect(world.reports).toEqual([expect.objectContaining({ kind: 'built', entities: 2 })])
  expect(await stop()).toBe('stopped')
  expect(world.current).toMatchObject({
    open: false,
    state: { complete: true, position: 3, applied: [{ to: 3, seal: 'log 0 2' }] },
  })
})

test('a batch that was sent before the index was begun and is stored later is one that it gets', async () => {
  const one = made()
  one.report('a')
  one.observe('b')
  one.step()
  const { stop } = one.run()
  await one.tick()
  one.work()
  await one.tick()
  await caughtUp(one)
  expect(one.said()).toEqual({ a: 1, b: 2 })
  expect(one.asOf()).toBeGreaterThan(0)
  await stop()
})

test('batches are applied as they are stored, and the index is as of the last look that was reached', async () => {
  const one = await following()
  const before = one.asOf()!
  one.observe('c')
  one.step()
  one.step()
  await one.deliver()
  // It is sent, and stored in part.
  expect(one.said()).toEqual({ a: 1, b: 2 })
  one.work()
  const at = one.world.clock
  await one.tick()
  // The look of now is not reached.
  expect(one.asOf()).toBe(before)
  await one.deliver()
  expect(one.said()).toEqual({ a: 1, b: 2, c: 3 })
  expect(one.asOf()).toBeGreaterThanOrEqual(at)
  const reached = one.asOf()
  await one.tick()
  await one.tick()
  expect(one.asOf()).toBeGreaterThan(reached!)
  await one.stop()
})

test('a batch in several parts counts once all of them are there', async () => {
  const one = await following()
  for (const value of 'abcde') one.observe(value)
  one.work()
  await one.deliver(2)
  expect(one.world.current!.state).toMatchObject({ position: 2, applied: [{ to: 2 }] })
  await one.deliver()
  expect(one.said()).toEqual({ a: 3, b: 4, c: 5, d: 6, e: 7 })
  expect(one.world.current!.state).toMatchObject({ position: 5, applied: [{ to: 7, seal: 'log 0 6' }] })
  await one.stop()
})

test('parts of batches of several partitions come between each other', async () => {
  const one = await following(2)
  for (const value of 'ab') one.observe(value)
  one.observe('c')
  for (const value of 'xyz') one.observe(value, 1)
  one.work()
  const [first, second, third, fourth] = one.rows.splice(2)
  one.rows.push(first!, third!, second!, fourth!)
  await one.deliver(3)
  expect(one.world.current!.state).toMatchObject({ position: 3, applied: [{ to: 5 }, { to: 0 }] })
  await one.stop()
  const again = one.run()
  await one.tick()
  await caughtUp(one)
  expect(one.said()).toEqual({ a: 3, b: 4, c: 5, x: 6, y: 7, z: 8 })
  await again.stop()
})

describe('a batch that is sent again', () => {
  test('is known', async () => {
    const one = await following()
    for (const value of 'abc') one.observe(value)
    one.step()
    one.kill()
    one.step()
    one.kill()
    one.work()
    one.report('a')
    await caughtUp(one)
    expect(one.said()).toEqual({ a: 6, b: 4, c: 5 })
    await one.stop()
  })

  test('after a part of it was, begins anew', async () => {
    const one = await following()
    for (const value of 'abc') one.observe(value)
    one.step()
    one.rows.pop()
    one.kill()
    one.work()
    await caughtUp(one)
    expect(one.said()).toEqual({ a: 3, b: 4, c: 5 })
    await one.stop()
  })
})

describe('an index that is there', () => {
  async function resumed(change: (one: Followed) => void) {
    const one = await following()
    await caughtUp(one)
    await one.stop()
    change(one)
    one.world.reports = []
    one.world.follows = []
    const again = one.run()
    await built(one)
    return Object.assign(one, again)
  }

  test('is gone on with from where it is', async () => {
    const one = await resumed((one) => one.report('c'))
    expect([one.world.reports, one.world.follows]).toEqual([[], [2]])
    await one.deliver()
    expect(one.said()).toEqual({ a: 1, b: 2, c: 3 })
    await one.stop()
  })

  test('is gone on with where the log keeps no rows any more, and none are missing', async () => {
    const one = await resumed((one) => {
      one.garbage()
      one.dropBefore(3)
    })
    expect([one.world.reports, one.world.follows]).toEqual([[], [3]])
    one.report('c')
    await caughtUp(one)
    expect(one.said()).toEqual({ a: 1, b: 2, c: 3 })
    expect(one.asOf()).toBeGreaterThan(0)
    await one.stop()
  })

  test.each<[string, (one: Followed) => void]>([
    ['the log is another one', (one) => one.renew()],
    ['other tables are live', (one) => (one.world.database = 'promoted')],
    ['it is ahead of the log', (one) => (one.world.current!.state.applied = [{ to: 7, seal: 'log 0 6' }] as never)],
  ])('is built anew where %s', async (_, change) => {
    const one = await resumed(change)
    expect(one.world.reports).toEqual([expect.objectContaining({ kind: 'built' })])
    expect(one.said()).toEqual(Object.fromEntries(one.tables))
    await one.stop()
  })

  test('goes on where partitions were added, from their beginning', async () => {
    const one = await resumed((one) => {
      one.addPartition()
      one.addPartition()
      one.report('d', 1)
      one.report('e', 2)
    })
    expect(one.world.reports).toEqual([])
    await caughtUp(one)
    expect(one.said()).toEqual({ a: 1, b: 2, d: 3, e: 4 })
    expect(one.world.current!.state.applied.map((at) => at?.to)).toEqual([2, 1, 1])
    expect(one.asOf()).toBeGreaterThan(0)
    await one.stop()
  })

  test('is closed where the log cannot be asked, and is there for the next try', async () => {
    const one = await resumed((one) => {
      one.world.step = async (step) => {
        if (step === 'sealBefore') throw new Error('the log is away')
      }
    })
    await expect(one.ended).rejects.toThrow('the log is away')
    expect(one.world.current?.open).toBe(false)
    one.world.step = async () => undefined
    const { stop } = one.run()
    await one.tick()
    expect(one.world.reports).toEqual([])
    await stop()
  })
})

describe('an index ends, and is removed', () => {
  async function ends(change: (one: Followed) => void, why: string): Promise<void> {
    const one = await following()
    await caughtUp(one)
    change(one)
    for (let i = 0; i < 6; i++) await caughtUp(one)
    expect(await one.stop()).toBe(why)
    expect(one.world.current).toBeNull()
  }

  test.each<[string, string, (one: Followed) => void]>([
    ['other tables come to be live', 'other tables', (one) => (one.world.database = 'promoted')],
    ['nobody asks any more', 'unwanted', (one) => (one.world.wanted = false)],
    [
      'the log does not keep what follows',
      'missing',
      (one) => one.fail(new OffsetGone('t', 0, 1, { low: 2, high: 3 })),
    ],
    ['a record cannot be read', 'missing', (one) => one.garbage()],
    [
      'jobs store what they do not send',
      'missing',
      (one) => {
        one.world.sends = false
        one.report('c')
      },
    ],
    [
      'a batch is missing before another one',
      'missing',
      (one) => {
        one.report('c')
        one.rows.pop()
        one.report('a')
      },
    ],
    [
      'a part of a batch is missing',
      'missing',
      (one) => {
        for (const value of 'abcde') one.observe(value)
        one.work()
        one.rows.splice(-2, 1)
      },
    ],
    [
      'rows have another form',
      'missing',
      (one) => {
        one.report('c')
        one.rows.push({ ...one.rows.pop()!, form: 'another' })
      },
    ],
    [
      'entries are none',
      'missing',
      (one) => {
        one.report('c')
        one.rows.push({ ...one.rows.pop()!, entries: Buffer.alloc(64) })
      },
    ],
    [
      'rows are of other tables',
      'other tables',
      (one) => {
        one.report('c')
        one.rows.push({ ...one.rows.pop()!, database: 'another' })
      },
    ],
  ])('where %s', (_, why, change) => ends(change, why))

  test('where it is too large while it is built, and none is left', async () => {
    const one = made()
    for (const value of 'abcdefgh') one.report(value)
    const { ended } = one.run({ maxBytes: 4 })
    await built(one)
    expect(await ended).toBe('too large')
    expect(one.world.reports).toEqual([{ kind: 'too large', bytes: 6 }])
    expect([one.world.current, ...one.world.others.map(({ open }) => open)]).toEqual([null, false])
  })

  test('where it becomes too large', async () => {
    const one = await following()
    one.world.weight = 501
    await one.tick()
    expect(await one.ended).toBe('too large')
    expect(one.world.reports.at(-1)).toEqual({ kind: 'too large', bytes: 1002 })
    expect(one.world.current).toBeNull()
  })

  test('but for one that the log failed, which is gone on with', async () => {
    const one = await following()
    one.fail(new Error('no broker'))
    await expect(one.ended).rejects.toThrow('no broker')
    expect(one.world.current).toMatchObject({ open: false })
    const { stop } = one.run()
    await one.tick()
    expect(one.world.reports).toHaveLength(1)
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

/** Batches of two partitions while it goes on, and one that is sent again. */
async function batchesWhile(one: IndexWorld): Promise<void> {
  for (const value of 'abc') one.report(value)
  await built(one)
  one.observe('a')
  one.observe('d', 1)
  one.step()
  one.kill()
  one.work()
  await one.deliver(1)
  one.report('b')
  await Promise.race([one.deliver(), one.tick().then(one.tick)])
  await one.tick()
}

test('a stop at any step leaves an index that is gone on with, or none', async () => {
  await atEachStep(async (n, one) => {
    const { world } = one
    let steps = 0
    const run = one.run()
    world.step = async () => {
      if (steps++ === n) run.abort()
    }
    await batchesWhile(one)
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
    await batchesWhile(one)
    expect(await run.stop().catch((error: Error) => error.message)).toMatch(/^(stopped|no room)$/)
    for (const { open } of world.others) expect(open).toBe(false)
    const of = steps
    await goneOnWith(one)
    return of
  })
})

/** The next runs come to what the tables say: one that lacks a batch is made again. */
async function goneOnWith(one: IndexWorld): Promise<void> {
  one.world.step = async () => undefined
  one.work()
  for (let tries = 0; tries < 4; tries++) {
    const run = one.run()
    await built(one)
    for (let i = 0; i < 3; i++) await caughtUp(one)
    if ((await run.stop()) === 'stopped') break
  }
  expect(one.said()).toEqual(Object.fromEntries(one.tables))
  expect(one.asOf()).toBeGreaterThan(0)
}

test('what could not be written does not count for what the index is as of', async () => {
  const one = await following()
  const { world } = one
  await caughtUp(one)
  const before = one.asOf()
  one.report('a')
  await one.tick()
  let writes = 0
  world.step = async (step) => {
    if (step === 'write' && writes++ === 0) throw new Error('no room')
  }
  const delivered = one.deliver()
  await one.tick()
  await delivered
  await expect(one.ended).rejects.toThrow('no room')
  expect([one.said(), one.asOf()]).toEqual([{ a: 1, b: 2 }, before])
  await goneOnWith(one)
})

test('whatever comes, ends and begins again, the index comes to what the tables say, and never goes back', async () => {
  for (let seed = 1; seed <= longer(60); seed++) {
    const random = seededRandom(seed)
    const below = (n: number): number => Math.floor(random() * n)
    const one = made(2)
    const { world } = one
    // Jobs go on in the middle of each step.
    const usual = async (step: string): Promise<void> => {
      const isBetween = ['stored', 'kept', 'scan', 'the way back'].includes(step)
      if (isBetween && random() < 0.3) one.observe('abc'[below(3)]!)
      if (isBetween && random() < 0.5) one.step(below(2))
      if (random() < 0.3) await new Promise(setImmediate)
    }
    world.step = usual
    let run = one.run()
    for (let step = 0; step < 60; step++) {
      const what = random()
      const value = 'abcdef'[below(6)]!
      if (what < 0.3) one.observe(value, value < 'd' ? 0 : 1)
      else if (what < 0.5) one.step(below(2))
      else if (what < 0.54) one.kill(below(2))
      else if (what < 0.56) world.sends = !world.sends
      else if (what < 0.76) void one.deliver(1 + below(3))
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
    world.sends = true
    await goneOnWith(one)
    expect(world.faults, `seed ${seed}`).toEqual([])
  }
})
