import { describe, expect, test } from 'vitest'
import { command } from '../../../builders/platform/command.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

const PATH = '/api/admin/v1/demo'

export function offered(shared: Shared): void {
  test('the demonstration is offered where nothing was reported', async () => {
    const { platform } = shared
    expect((await platform.ask(PATH)).body).toEqual({ state: 'none', entities: 0, loaded: 0, total: 0 })
    expect((await platform.ask('/api/analytics/v1/overview', undefined, null)).body.total_entities).toBe(0)
  })
}

export function demo(shared: Shared): void {
  const { folder, platform } = shared
  const SMALL = ['demo', '--entities', '300'] as const

  const ask = async (path: string) => (await platform.ask(path, undefined, null)).body
  /** Reports that the history has for everybody. */
  const reported = async (): Promise<number> =>
    (await platform.ask('/api/search/v1/entities/history/advanced', {}, null)).body.items

  describe('the demonstration corpus', () => {
    test('is in the answers when the command ends, beside other reports', async () => {
      const report = { type: 'domain', attributes: { domain: 'reported.example' }, reputation: -2 }
      expect((await platform.ask('/api/ingest/v1/entity', { ...report, visibleBy: ['public'] })).status).toBe(202)
      await eventually(
        () => platform.ask('/api/search/v1/entity', { type: 'domain', value: 'reported.example' }),
        ({ status }) => status === 200,
      )
      const others = (await ask('/api/analytics/v1/overview')).total_entities
      const { code, stdout, stderr } = await command(folder, ...SMALL)
      expect([code, stdout], stderr).toEqual([
        0,
        expect.stringMatching(/^300 entities over 60 days, seed 1: \d+ reports of 9 feeds, in .*\nOpen http:/),
      ])
      const overview = await ask('/api/analytics/v1/overview?days=60')
      expect(overview.total_entities).toBe(others + 300)
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
}
