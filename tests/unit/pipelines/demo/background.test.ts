import pino from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { demoInBackground } from '../../../../pipelines/demo/background.ts'
import { claim, DEFAULTS } from '../../../../pipelines/demo/load.ts'
import { OBSERVATIONS } from '../../../../schemas/log/topics.ts'
import { LEASE_MS } from '../../../../schemas/operation/demo-load.ts'
import { demoPorts } from '../../../builders/feeds/demo-ports.ts'
import { eventually } from '../../../builders/platform/platform.ts'

const logger = pino({ level: 'silent' })
const NOW = Date.UTC(2026, 5, 18)
const small = { entities: 300, days: 30, seed: 3, end: NOW }
const open: { stop(): Promise<void> }[] = []
afterEach(async () => void (await Promise.all(open.splice(0).map((loader) => loader.stop()))))

const started = (ports: ReturnType<typeof demoPorts>) => {
  const loader = demoInBackground(ports, logger)
  open.push(loader)
  return loader
}

describe('a load in the background', () => {
  test('begins once, whichever process is asked, and leaves what is half done when its process stops', async () => {
    const ports = demoPorts(() => NOW)
    const [one, other] = [started(ports), started(ports)]
    const [first, second] = await Promise.all([one.start(), other.start()])
    expect(first).toEqual({ state: 'loading', entities: DEFAULTS.entities, loaded: 0, total: 0 })
    expect(second).toMatchObject({ state: 'loading', entities: DEFAULTS.entities })
    await Promise.all([one.stop(), other.stop()])
    expect(await ports.loads.current()).toMatchObject({ holder: null, paused: false, ended: false })
    const sent = ports.observations()
    expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length)
  })

  test('goes on with what a process that died has left', async () => {
    let now = NOW
    const ports = demoPorts(() => now)
    await claim(ports, 'the dead', small)
    now += LEASE_MS + 1
    const loader = started(ports)
    await eventually(loader.state, ({ state }) => state === 'loaded', 10_000)
    expect(new Set(ports.observations().map(({ entityId }) => entityId)).size).toBe(300)
  })

  test('does not go on by itself with what somebody interrupted, until it is asked for', async () => {
    const ports = demoPorts(() => NOW)
    await claim(ports, 'a', small)
    await ports.loads.append({ kind: 'leave', by: 'a', at: NOW, paused: true })
    let looks = 0
    const current = () => ports.loads.current().finally(() => looks++)
    const loader = started({ ...ports, loads: { ...ports.loads, current } })
    await expect.poll(() => looks).toBeGreaterThan(0)
    await loader.state()
    expect(ports.observations()).toEqual([])
    await loader.start()
    await eventually(loader.state, ({ state }) => state === 'loaded', 10_000)
  })

  test('begins where something else was reported, too', async () => {
    const ports = demoPorts(() => NOW)
    await ports.log.send([{ topic: OBSERVATIONS, messages: [{ key: 'x', value: Buffer.from('x') }] }])
    expect(await started(ports).start()).toMatchObject({ state: 'loading' })
  })
})
