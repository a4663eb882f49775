import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { command } from '../../builders/platform/command.ts'
import { type Platform, remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'

const PATH = '/api/admin/v1/demo'
const SMALL = ['demo', '--entities', '300'] as const
let platform: Platform
const folder = temporaryFolder()

beforeAll(async () => {
  platform = await startPlatform(folder)
})
afterAll(async () => {
  expect(await platform?.stop()).toBe(0)
  remove(folder)
})

const ask = async (path: string) => (await platform.ask(path, undefined, null)).body
/** Reports that the history has for everybody. */
const reported = async (): Promise<number> =>
  (await platform.ask('/api/search/v1/entities/history/advanced', {}, null)).body.items

describe('the demonstration corpus', () => {
  test('is offered where nothing was reported', async () => {
    expect((await platform.ask(PATH)).body).toEqual({ state: 'none', entities: 0, loaded: 0, total: 0 })
    expect((await ask('/api/analytics/v1/overview')).total_entities).toBe(0)
  })

  test('is in the answers when the command ends', async () => {
    const { code, stdout, stderr } = await command(folder, ...SMALL)
    expect([code, stdout], stderr).toEqual([
      0,
      expect.stringMatching(/^300 entities over 60 days, seed 1: \d+ reports of 9 feeds, in .*\nOpen http:/),
    ])
    const overview = await ask('/api/analytics/v1/overview?days=60')
    expect(overview.total_entities).toBe(300)
    expect(overview.timeline.filter((day: { count: number }) => day.count > 0).length).toBeGreaterThan(10)
    expect(overview.top_tags.length).toBeGreaterThan(5)
    const attribution = await ask('/api/analytics/v1/attribution?malicious_only=false')
    expect(Math.min(attribution.by_country.length, attribution.by_asn.length)).toBeGreaterThan(3)
    expect((await platform.ask(PATH)).body).toMatchObject({ state: 'loaded', entities: 300 })
  })

  test('is not added to by a second run, nor by the button, and another one is refused', async () => {
    const before = await reported()
    expect(before).toBeGreaterThan(300)
    const again = await command(folder, ...SMALL)
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('nothing was added')])
    expect(await platform.ask(PATH, {})).toMatchObject({ status: 202, body: { state: 'loaded', entities: 300 } })
    const other = await command(folder, 'demo', '--entities', '400')
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('300 entities over 60 days, seed 1')])
    expect(await reported()).toBe(before)
  })

  test('is taken back feed by feed', async () => {
    const day = (at: number): string => new Date(at).toISOString()
    const window = ['--from', day(Date.now() - 61 * 86_400_000), '--to', day(Date.now() - 1_000)]
    const { code, stdout } = await command(folder, 'feed', 'retract', 'demo-honeypots', ...window)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^[1-9]\d* entities reported, [1-9]\d* retracted/)])
  })
})
