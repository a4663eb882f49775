import { describe, expect, test } from 'vitest'
import { claim, type DemoPorts, LoadTaken, runLoad, stateOf } from '../../../../pipelines/demo/load.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { LEASE_MS } from '../../../../schemas/operation/demo-load.ts'
import { demoPorts } from '../../../builders/feeds/demo-ports.ts'

const NOW = Date.UTC(2026, 5, 18)
const wanted = { entities: 4_000, days: 30, seed: 3, end: NOW }
const untilTheEnd = { signal: new AbortController().signal, paused: false }

const ids = (observations: readonly Observation[]): string[] => observations.map(({ id }) => id).sort()

async function whole(): Promise<string[]> {
  const ports = demoPorts(() => NOW)
  await runLoad(ports, await claim(ports, 'a', wanted), { by: 'a', ...untilTheEnd })
  return ids(ports.observations())
}

describe('a load', () => {
  test('brings every observation once, with its own time, and is told until it has ended', async () => {
    const ports = demoPorts(() => NOW)
    expect(await stateOf(ports, await ports.loads.current())).toEqual({
      state: 'none',
      entities: 0,
      loaded: 0,
      total: 0,
    })
    const seen: number[] = []
    const load = await claim(ports, 'a', wanted)
    await runLoad(ports, load, { by: 'a', ...untilTheEnd, onProgress: ({ line }) => seen.push(line) })
    const observations = ports.observations()
    expect(new Set(ids(observations)).size).toBe(observations.length)
    expect(new Set(observations.map(({ observedAt }) => observedAt)).size).toBeGreaterThan(3_000)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    const state = await stateOf(ports, await ports.loads.current())
    expect(state).toMatchObject({ state: 'loaded', entities: 4_000, loaded: state.total })
    expect(state.total).toBeGreaterThan(4_000)
  })

  test.each([0, 1, 2_000, 5_000])(
    'that died %i records into a batch is gone on with, without losing or repeating one',
    async (kept) => {
      let now = NOW
      const ports = demoPorts(() => now)
      let progress = 0
      const dying = {
        by: 'a',
        ...untilTheEnd,
        onProgress: () => {
          if (++progress === 2) ports.log.failNext(kept)
        },
      }
      await expect(runLoad(ports, await claim(ports, 'a', wanted), dying)).rejects.toThrow('the log went away')
      // Not before its holder counts as dead.
      expect((await claim(ports, 'b', wanted)).holder?.by).toBe('a')
      now += LEASE_MS + 1
      const left = await claim(ports, 'b', { ...wanted, end: now })
      expect([left.holder?.by, left.corpus, left.line > 0]).toEqual(['b', wanted, true])
      await runLoad(ports, left, { by: 'b', ...untilTheEnd })
      expect(ids(ports.observations())).toEqual(await whole())
    },
  )

  test('that was interrupted goes on, and one that is over is not taken again', async () => {
    const ports = demoPorts(() => NOW)
    const stopping = new AbortController()
    const options = { by: 'a', signal: stopping.signal, paused: true, onProgress: () => stopping.abort() }
    expect(await runLoad(ports, await claim(ports, 'a', wanted), options)).toEqual({ interrupted: true })
    expect(await ports.loads.current()).toMatchObject({ holder: null, paused: true, ended: false })
    await runLoad(ports, await claim(ports, 'b', wanted), { by: 'b', ...untilTheEnd })
    expect(ids(ports.observations())).toEqual(await whole())
    expect((await claim(ports, 'c', wanted)).ended).toBe(true)
  })

  test('that another process has taken is given up before anything more is sent', async () => {
    let now = NOW
    const ports = demoPorts(() => now)
    const load = await claim(ports, 'a', wanted)
    now += LEASE_MS + 1
    await claim(ports, 'b', wanted)
    await expect(runLoad(ports satisfies DemoPorts, load, { by: 'a', ...untilTheEnd })).rejects.toThrow(LoadTaken)
    expect(ports.observations()).toEqual([])
  })
})
