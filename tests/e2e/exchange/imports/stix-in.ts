import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { command } from '../../../builders/platform/command.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** What objects of a producer claim, and take back, as readers see it. */
export function stixIn(shared: Shared): void {
  const { folder, platform } = shared

  const [ALONE, SHARED, CHANGED, ENDING, OTHER] = [1, 2, 3, 4, 5].map((n) => `198.18.31.${n}`) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const indicator = (n: number, value: string, month: number, rest: object = {}) => ({
    type: 'indicator',
    spec_version: '2.1',
    id: `indicator--11111111-1111-4111-8111-00000000000${n}`,
    created: '2026-01-01T00:00:00.000Z',
    modified: `2026-0${month}-01T00:00:00.000Z`,
    pattern: `[ipv4-addr:value = '${value}']`,
    pattern_type: 'stix',
    valid_from: '2026-01-01T00:00:00Z',
    ...rest,
  })

  async function imported(name: string, objects: object[], feed = 'producer') {
    const path = join(folder, `${name}.json`)
    await writeFile(path, JSON.stringify({ type: 'bundle', id: 'bundle--1', objects }))
    return command(folder, 'feed', 'import', path, '--format', 'stix', '--feed', feed)
  }

  const shown = async (value: string) => {
    const { body } = await platform.ask(`/api/search/v1/entity/${entityId('ip', value)}`)
    return body as { reputation: number; retracted?: boolean }
  }
  const claimsOf = async (value: string): Promise<number> =>
    (await platform.ask(`/api/search/v1/entity/${entityId('ip', value)}/evidence`)).body.items
  const becomes = (value: string, holds: (view: Awaited<ReturnType<typeof shown>>) => boolean) =>
    eventually(() => shown(value), holds)
  const isBad = ({ reputation }: { reputation: number }): boolean => reputation < 0
  const isGone = ({ retracted }: { retracted?: boolean }): boolean => retracted === true

  test('an object that is revoked, replaced or over takes its claim along, and nothing else', {
    timeout: 180_000,
  }, async () => {
    const until = new Date(Date.now() + 25_000).toISOString()
    const first = await imported('first', [
      indicator(1, ALONE, 1),
      indicator(2, SHARED, 1),
      indicator(3, SHARED, 1),
      indicator(4, CHANGED, 1),
      indicator(5, ENDING, 1, { valid_until: until }),
    ])
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('5 observations published, 0 lines rejected'),
    })
    expect(first.stdout).toContain('lost indicator created 5\n')
    await imported('others', [indicator(1, ALONE, 1)], 'other-feed')
    for (const value of [ALONE, SHARED, CHANGED, ENDING]) await becomes(value, isBad)
    await eventually(
      () => claimsOf(ALONE),
      (claims) => claims === 2,
    )

    const second = await imported('second', [
      indicator(1, ALONE, 2, { revoked: true }),
      indicator(2, SHARED, 2, { revoked: true }),
      indicator(4, OTHER, 2),
    ])
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 observation published, 0 lines rejected'),
    })
    await becomes(CHANGED, isGone)
    await becomes(OTHER, isBad)
    // The other feed still says so, and so does the other object of the same feed.
    await eventually(
      () => claimsOf(ALONE),
      (claims) => claims === 1,
    )
    expect(await shown(ALONE)).toSatisfy(isBad)
    expect(await shown(SHARED)).toSatisfy(isBad)

    // What was known before is rejected, and brings nothing back.
    const older = await imported('older', [indicator(4, CHANGED, 1), indicator(1, ALONE, 1)])
    expect(older.stdout).toContain('0 observations published, 2 lines rejected')
    await imported('third', [indicator(3, SHARED, 2, { revoked: true })])
    await becomes(SHARED, isGone)
    await becomes(ENDING, isGone)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until))
    expect(await shown(CHANGED)).toSatisfy(isGone)
  })
}
