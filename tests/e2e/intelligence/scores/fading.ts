import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openRegistry } from '../../../../cli/wiring/open/registry.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { loadConfig } from '../../../../platform/config.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../../schemas/log/topics.ts'
import { changesIn } from '../../../builders/intelligence/changes.ts'
import { DAY, observation } from '../../../builders/intelligence/observation.ts'
import { observationsOf } from '../../../builders/intelligence/replay/replay.ts'
import { command } from '../../../builders/platform/command.ts'
import { defaultRules, logOf } from '../../../builders/platform/data-folder.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { metricsOf } from '../../../builders/platform/metrics.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

export const LISTED = 200

/** Scores follow time by records of the log, and a feed that was wrong is taken back. */
export function fading(shared: Shared): void {
  const { folder, platform } = shared

  const AGREED = 20
  const listed = (n: number): string => `203.0.113.${n}`
  const applied = () =>
    eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
  const overview = async () => (await platform.ask('/api/analytics/v1/overview', undefined, null)).body
  const evidence = async (value: string, at?: number) => {
    const query = at === undefined ? '' : `?at=${at}`
    return (await platform.ask(`/api/search/v1/entity/${entityId('ip', value)}/evidence${query}`, undefined, null)).body
  }
  async function onLog<T>(look: (log: Awaited<ReturnType<typeof logOf>>) => Promise<T>): Promise<T> {
    const log = await logOf(folder)
    return look(log).finally(() => log.close())
  }
  const scored = async (): Promise<Change[]> =>
    (await onLog(changesIn)).filter(({ rows }) =>
      rows.some(({ before, after }) => before !== null && before.reputation !== after.reputation),
    )
  const retract = (from: number, to: number, ...more: string[]) =>
    command(folder, 'feed', 'retract', 'bad', '--from', iso(from), '--to', iso(to), ...more)
  const iso = (ms: number): string => new Date(ms).toISOString()

  /** A score is due so long after its report, and comes due so long after the log has taken it. Milliseconds. */
  const UNTIL_DUE = (() => {
    const o = observation({ source: 'old' })
    const record = { observation: o, partition: 0, offset: 0, audience: audienceId(o.audience) }
    return applyBatch(new Map(), [record], defaultRules()).rows[0]!.due - o.observedAt
  })()
  const SOON = 10_000

  const tallied = (all: readonly string[]): Record<string, number> =>
    Object.fromEntries([...new Set(all)].map((one) => [one, all.filter((other) => other === one).length]))

  let before: number
  let after: number

  test('a feed that is taken back counts no more, and what others say stays', async () => {
    const file = join(folder, 'list.txt')
    await writeFile(file, Array.from({ length: LISTED }, (_, i) => `${listed(i)}\n`).join(''))
    before = Date.now()
    const imported = await command(folder, 'feed', 'import', file, '--format', 'lines', '--feed', 'bad')
    expect(imported).toMatchObject({ code: 0 })
    for (let n = 0; n < AGREED; n++) {
      const body = { type: 'ip', attributes: { ip: listed(n) }, reputation: -3 }
      expect((await platform.ask('/api/ingest/v1/entity', body)).status).toBe(202)
    }
    await applied()
    await eventually(overview, (told) => told.malicious_count === LISTED)
    after = Date.now()
    expect(await evidence(listed(0))).toMatchObject({ reputation: -3, accuracy: 2, items: 2 })
    expect(await evidence(listed(150))).toMatchObject({ reputation: -3, accuracy: 1, items: 1 })
    // Moments of before and after are to be apart.
    await sleep(5)

    const planned = await retract(before, after, '--dry-run')
    expect(planned).toMatchObject({
      code: 0,
      stdout: `${LISTED} entities reported from ${iso(before)} to ${iso(after)}; the reports of ${LISTED} would be retracted, of 0 they already are; nothing was changed\n`,
    })
    expect((await overview()).malicious_count).toBe(LISTED)

    // From the first moment that a time can name.
    const done = await retract(0, after, '--reason', 'a test list')
    // The administrator is trusted: what it says alone is as accurate as what two say.
    expect(done).toMatchObject({
      code: 0,
      stdout: `${LISTED} entities reported, ${LISTED} retracted, 0 already retracted; ${LISTED - AGREED} scores changed\n`,
    })
    const left = await eventually(overview, (told) => told.malicious_count === AGREED)
    expect(left.total_entities).toBe(AGREED)
    expect(left.by_reputation).toEqual([{ key: '-3', count: AGREED }])
    const id = entityId('ip', listed(150))
    const one = await platform.ask(`/api/search/v1/entity/${id}`)
    expect(one).toMatchObject({ status: 200, body: { reputation: 0, accuracy: 0, tags: [], retracted: true } })
    const details = await platform.ask(`/api/analytics/v1/entity/${id}/details`)
    const graph = await platform.ask(`/api/analytics/v1/entity/${id}/relations`)
    expect([details.body.retracted, graph.body.nodes[0].retracted]).toEqual([true, true])
    const kept = await platform.ask('/api/search/v1/entities/history/simple', { query: listed(0) })
    const marks = kept.body.results.map(({ retracted }: { retracted?: boolean }) => retracted ?? false)
    expect(marks.sort()).toEqual([false, true])
    expect(await evidence(listed(0))).toMatchObject({ reputation: -3, items: 1, claims: [{ mine: false }] })
    expect(await evidence(listed(150))).toMatchObject({ basis: 'claims', reputation: 0, accuracy: 0, items: 0 })
    // As of the moment before, it still counted.
    expect(await evidence(listed(0), after)).toMatchObject({ basis: 'history', reputation: -3, accuracy: 2, items: 2 })
    expect(await evidence(listed(150), after)).toMatchObject({ reputation: -3, accuracy: 1, items: 1 })
    const told = (await scored()).filter(({ cause, rows }) => cause === 'retraction' && rows[0]!.after.reputation === 0)
    expect(told).toHaveLength(LISTED - AGREED)

    const [record] = await onLog(observationsOf).then((all) =>
      all.filter(({ observation: o }) => o.kind === 'retraction'),
    )
    const reason = await onLog(async (log) => {
      const [message] = await log.read(OBSERVATIONS, record!.partition, record!.offset, record!.offset + 1, 1)
      return message!.headers.reason
    })
    expect(reason).toBe('a test list')
  })

  test('what was taken back is not taken back again', async () => {
    const again = await retract(before, after)
    expect(again.stdout).toBe(
      `${LISTED} entities reported, 0 retracted, ${LISTED} already retracted; 0 scores changed\n`,
    )
  })

  test('arguments that make no sense end with 2 before anything is opened, and so does a feed that nobody knows', async () => {
    const fault = async (...args: string[]) => {
      const { code, stderr } = await command(folder, 'feed', 'retract', ...args)
      return [code, stderr.trim()]
    }
    const from = ['--from', iso(before)]
    expect(await fault('bad', '--to', iso(after))).toEqual([
      2,
      "harrier: required option '--from <time>' not specified",
    ])
    expect(await fault('bad', '--from', 'yesterday', '--to', iso(after))).toEqual([
      2,
      expect.stringMatching(/^harrier: option '--from <time>' argument 'yesterday' is invalid/),
    ])
    expect(await fault('bad', ...from, '--to', iso(before - 1))).toEqual([2, 'harrier: --from is after --to'])
    expect(await fault('bad', ...from, '--to', iso(after + DAY))).toEqual([2, 'harrier: --to is in the future'])
    expect(await fault('good', ...from, '--to', iso(after))).toEqual([2, 'harrier: the feed good has no reports'])
  })

  test('what fades while nobody reports is told once the jobs look; what had faded before it came is never shown as fresh', async () => {
    const registry = await openRegistry(loadConfig({ HARRIER_DATA_DIR: folder }))
    const encode = encoder<Observation>(records.observation, registry.ids.observation)
    const since = Date.now()
    const reported = Array.from({ length: 50 }, (_, i) =>
      observation({
        id: `019b0000-0000-7000-8000-${String(i).padStart(12, '0')}`,
        value: `198.51.100.${i}`,
        source: 'old',
        observedAt: i < 25 ? since + SOON - UNTIL_DUE : since - 60 * DAY,
      }),
    )
    const messages = reported.map((o) => ({ key: o.entityId, value: encode(o) }))
    await onLog((log) => log.send([{ topic: OBSERVATIONS, messages }]))
    await registry.close()
    // Partitions are applied apart: every one before anything is counted.
    await eventually(
      async () => metricsOf(platform.url),
      (text) =>
        /^harrier_score_reevaluations_total 25$/m.test(text) &&
        /^harrier_job_records_total\{outcome="faded"\} 25$/m.test(text),
    )
    const told = await eventually(overview, (now) => now.malicious_count === AGREED + 25)
    expect(told.by_reputation).toEqual([
      { key: '-2', count: 25 },
      { key: '0', count: 25 },
      { key: '-3', count: AGREED },
    ])
    const ours = (await onLog(changesIn)).filter(({ value }) => value.startsWith('198.51.100.'))
    const steps = ours.map(({ rows: [row] }) => `${row!.before?.reputation ?? 'unknown'} to ${row!.after.reputation}`)
    expect(tallied(steps)).toEqual({ 'unknown to -3': 25, '-3 to -2': 25, 'unknown to 0': 25 })
  })
}
