import { afterAll, beforeEach, expect, test } from 'vitest'
import { compareAll, keepLive } from '../../../../connectors/history/generations/compare.ts'
import { generations } from '../../../../connectors/history/generations/generations.ts'
import { liveHistory, liveStore } from '../../../../connectors/history/generations/live.ts'
import type { Generations, JobLock } from '../../../../connectors/history/generations/port.ts'
import type { History } from '../../../../connectors/history/port.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { during } from '../../../builders/suite/during.ts'

export function generationsOfTables(open: OpenStore): void {
  let history: History
  let home: string
  let known: Generations & { make(): Promise<void> }
  const held: JobLock[] = []

  const store = during(open)
  beforeEach(async () => {
    for (const hold of held.splice(0)) await hold.release()
    await store.clear()
    ;({ history, database: home } = await store.migrated())
    known = generations(history, { mode: 'single', home })
    await known.make()
  })
  afterAll(async () => {
    for (const hold of held) await hold.release()
  })

  const take = async (of: Generations = known): Promise<JobLock> => {
    const hold = await of.lock('test')
    held.push(hold)
    return hold
  }
  const audience = (n: number): string => `INSERT INTO audiences VALUES (${n}, ['public'])`
  const count = async (of: History): Promise<number> => {
    const [row] = await of.query<{ n: string }>({ sql: 'SELECT count() AS n FROM audiences', params: {} })
    return Number(row!.n)
  }

  test('the home is the live one at first, made twice or not at all', async () => {
    await known.make()
    expect(await known.current()).toEqual({ database: home, locked: false, rules: '', applied: [], rescored: null })
    const fresh = await store.migrated()
    const unmade = generations(fresh.history, { mode: 'single', home: fresh.database })
    expect(await unmade.current()).toMatchObject({ database: fresh.database, locked: false, rules: '', applied: [] })
  })

  test('a shadow has every table and is not live; a promotion makes it so, in one step for every reader', async () => {
    let now = 0
    const live = liveHistory(history, known, () => now)
    await live.command(audience(1))
    const shadow = await known.shadow()
    await history.at(shadow).command(audience(2))
    await history.at(shadow).command(audience(3))
    expect(await count(live)).toBe(1)
    const hold = await take()
    expect(await known.current()).toMatchObject({ database: home, locked: true, rules: '', applied: [] })
    await hold.promote({ database: shadow, rules: '{"id":"r1"}', applied: [7, 9] })
    expect(await known.current()).toMatchObject({
      database: shadow,
      locked: false,
      rules: '{"id":"r1"}',
      applied: [7, 9],
    })
    // A reader may be a second behind, not more.
    expect(await count(live)).toBe(1)
    now = 1_000
    expect(await count(live)).toBe(2)
    expect((await known.list()).map(({ database, live: is }) => [database, is])).toEqual([
      [home, false],
      [shadow, true],
    ])
    expect(await known.shadow()).toBe(`${home}_g2`)
  })

  test('how the rules came into force stays known, through holds and promotions of the same rules', async () => {
    const rescored = { before: '{"id":"r0"}', since: [7, 9] }
    await (await take()).promote({ database: home, rules: '{"id":"r1"}', applied: [7, 9], rescored })
    expect(await known.current()).toMatchObject({ rules: '{"id":"r1"}', rescored })
    await (await take()).release()
    const shadow = await known.shadow()
    await (await take()).promote({ database: shadow, rules: '{"id":"r1"}', applied: [] })
    expect(await known.current()).toMatchObject({ database: shadow, applied: [], rescored })
  })

  test('a pointer of before that was noted is read as it is, and gets the columns for it at the next start', async () => {
    for (const column of ['rules_before', 'rules_since'])
      await history.command(`ALTER TABLE generations DROP COLUMN ${column}`)
    const before = { database: home, locked: false, rules: '', applied: [], rescored: null }
    expect(await known.current()).toEqual(before)
    await known.make()
    expect(await known.current()).toEqual(before)
    const rescored = { before: '', since: [3] }
    await (await take()).promote({ database: home, rules: '{"id":"r1"}', applied: [3], rescored })
    expect(await known.current()).toMatchObject({ rules: '{"id":"r1"}', rescored })
  })

  test('one command holds at a time; what it gives back is as before', async () => {
    const hold = await take()
    await expect(known.lock('another')).rejects.toThrow('another command has paused the jobs')
    await hold.release()
    expect((await known.current()).locked).toBe(false)
    const again = await take()
    await again.promote({ database: home, rules: 'rules', applied: [] })
    expect((await known.current()).rules).toBe('rules')
  })

  test('of several that hold at the same moment one has it', async () => {
    for (let round = 0; round < 4; round++) {
      const taken = await Promise.allSettled(Array.from({ length: 4 }, () => known.lock('race')))
      const holds = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(holds).toHaveLength(1)
      await holds[0]!.release()
    }
  })

  test('a hold that was lost promotes nothing', async () => {
    const hold = await take()
    // As if its process had been stopped for longer than the hold lasts.
    await history.command('ALTER TABLE generations UPDATE held_until = 0 WHERE 1 SETTINGS mutations_sync = 2')
    expect((await known.current()).locked).toBe(false)
    const shadow = await known.shadow()
    await expect(hold.promote({ database: shadow, rules: '', applied: [] })).rejects.toThrow('nothing was changed')
    expect((await known.current()).database).toBe(home)
  })

  test('a batch is given its tables while nobody holds, and the new ones afterwards', async () => {
    const opened: string[] = []
    let looks = 0
    const counted = {
      ...known,
      current: (signal?: AbortSignal) => {
        looks++
        return known.current(signal)
      },
    }
    const next = liveStore(counted, (database) => {
      opened.push(database)
      return {} as never
    })
    const { signal } = new AbortController()
    const first = await next(signal)
    expect(await next(signal)).toBe(first)
    const hold = await take()
    let given = false
    const waiting = next(signal).finally(() => {
      given = true
    })
    const seen = looks
    await expect.poll(() => looks, { timeout: 10_000 }).toBeGreaterThan(seen + 1)
    expect(given).toBe(false)
    const shadow = await known.shadow()
    await hold.promote({ database: shadow, rules: '', applied: [] })
    expect((await waiting).database).toBe(shadow)
    expect(opened).toEqual([home, shadow])
  })

  test('a batch whose partition is taken away does not wait', async () => {
    await take()
    const stopping = new AbortController()
    const waiting = liveStore(known, () => ({}) as never)(stopping.signal)
    stopping.abort(new Error('taken away'))
    await expect(waiting).rejects.toThrow()
  })

  test('first statements of links are compared with a rebuild, but for tables with rows of before they were noted', async () => {
    const shadow = await known.shadow()
    const other = history.at(shadow)
    const ids = [`ip-${'0'.repeat(64)}`, `ip-${'1'.repeat(64)}`] as const
    const stated = (of: History, offset: number): Promise<void> => {
      const edge = {
        entityId: ids[0],
        relatedId: ids[1],
        mode: 'association',
        relationship: null,
        audience: 7n,
        seenAt: 1_000,
      }
      return observationStore(of).associations([{ ...edge, offset }], `token ${offset}`)
    }
    const isEqual = async (): Promise<boolean> => {
      await keepLive(other, shadow, home)
      const compared = await compareAll(other, shadow)
      return compared.find(({ table }) => table === 'associations')!.equal
    }
    await stated(history, 5)
    await stated(other, 4)
    expect(await isEqual()).toBe(false)
    await stated(history, 4)
    expect(await isEqual()).toBe(true)
    const columns = 'key, entity_id, related_id, mode, outgoing, audience, first_seen, last_seen'
    await history.command(`INSERT INTO associations (${columns}) SELECT ${columns} FROM associations`)
    expect(await isEqual()).toBe(true)
    await history.command("INSERT INTO associations (key, entity_id) VALUES (1, 'ip-1')")
    expect(await isEqual()).toBe(false)
  })

  test('what is dropped is gone, but never the live one, nor what is no generation', async () => {
    const shadow = await known.shadow()
    await known.drop(shadow)
    expect((await known.list()).map(({ database }) => database)).toEqual([home])
    await expect(known.drop(home)).rejects.toThrow('is the live generation')
    await expect(known.drop('system')).rejects.toThrow("no such generation: 'system'")
    await history.command(audience(1))
    const other = await known.shadow()
    await (await take()).promote({ database: other, rules: '', applied: [] })
    await known.drop(home)
    expect(await count(history)).toBe(0)
    expect(await known.current()).toMatchObject({ database: other, locked: false, rules: '', applied: [] })
  })
}
