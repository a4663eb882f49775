import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import type { ChangeEvent } from '../../../../schemas/live/change-event.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { command, HARRIER, type Ran } from '../../../builders/platform/command.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** Streams and watchlists beside an operator who makes other scoring rules live, and is killed on the way (ADR 271). */
export function rescored(shared: Shared): void {
  const { folder, platform } = shared
  const ADDRESS = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
  const VALUE = 'split.example'
  const OWN = [VALUE, 'alike-by-rules.example', 'hidden-by-rules.example', 'end-of-rules.example']
  const stop = new AbortController()
  let reporters: User[]
  /** In `blue`, and with a customer. */
  let analyst: User
  let colleague: User

  beforeAll(async () => {
    reporters = await Promise.all([0, 1, 2].map(() => newUserOf(platform, { roles: ['reporter'], groups: [] })))
    colleague = await newUserOf(platform, { roles: ['reporter'], groups: ['blue'] })
    analyst = await newUserOf(platform, { roles: ['user', 'reporter'], groups: ['blue'] })
    const body = { name: 'Acme', email: 'acme@example.com', billingAddress: ADDRESS }
    expect((await platform.ask('/api/billing/v1/customer', body, analyst.headers)).status).toBe(201)
  }, 480_000)
  afterAll(() => stop.abort())

  const report = async (as: User, value: string, reputation: number, visibleBy = ['public']): Promise<void> => {
    const body = { type: 'domain', attributes: { domain: value }, reputation, visibleBy }
    expect((await platform.ask('/api/ingest/v1/entity', body, as.headers)).status).toBe(202)
  }

  const settled = () =>
    eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )

  /** Everything that a stream of this reader tells, as it comes. */
  async function follow(headers: Record<string, string> = {}, query = ''): Promise<ChangeEvent[]> {
    const events: ChangeEvent[] = []
    const answer = await fetch(`${platform.url}/api/live/v1/changes${query}`, {
      headers: { ...headers, accept: 'application/x-ndjson' },
      signal: stop.signal,
    })
    expect(answer.status).toBe(200)
    let isCaughtUp = false
    const reading = async (): Promise<void> => {
      let text = ''
      for await (const bytes of answer.body!.pipeThrough(new TextDecoderStream())) {
        const lines = (text + bytes).split('\n')
        text = lines.pop()!
        for (const { event, data } of lines.filter(Boolean).map((one) => JSON.parse(one))) {
          if (event === 'change') events.push(data)
          isCaughtUp ||= event === 'caught-up'
        }
      }
    }
    void reading().catch(() => undefined)
    await eventually(
      async () => isCaughtUp,
      (is) => is,
    )
    return events
  }

  const about = (events: readonly ChangeEvent[], value: string) => events.filter(({ entity }) => entity.value === value)
  /** Of other parts too some are scored anew. */
  const ownOf = (events: readonly ChangeEvent[]): string[] =>
    events.map(({ entity }) => entity.value).filter((value) => OWN.includes(value))
  const rescore = async (...args: string[]): Promise<Ran> => {
    const ran = await command(folder, 'rescore', ...args)
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    return ran
  }

  /** As somebody who ends `rescore promote` once answers show the new scores, before most of it is told. */
  async function promoteAndKill(database: string): Promise<void> {
    const child = spawn(process.execPath, [HARRIER, 'rescore', 'promote', database], {
      env: { ...process.env, HARRIER_DATA_DIR: folder, HARRIER_LOG_LEVEL: 'warn' },
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    await eventually(
      () => platform.ask(`/api/search/v1/entity/${entityId('domain', VALUE)}`, undefined, null),
      ({ body }) => body.reputation === -3,
      60_000,
    )
    child.kill('SIGKILL')
    await ended
  }

  test('a promotion is told to every stream that is shown another score by it, once, and fires what enters by it', async () => {
    for (const [n, as] of reporters.entries()) await report(as, VALUE, n === 2 ? 3 : -3)
    // Their readers alone fold them with the others: from 0 by the mean to -1 by the median.
    await report(analyst, VALUE, 3, ['blue'])
    await report(colleague, VALUE, -1, ['blue'])
    await report(reporters[0]!, 'alike-by-rules.example', -3)
    await report(analyst, 'hidden-by-rules.example', -3, ['blue'])
    await settled()
    const casework = (path: string, body?: object) => platform.ask(`/api/casework/v1${path}`, body, analyst.headers)
    const { body: list } = await casework('/watchlists', { name: 'Ours' })
    for (const most of [-1, 0])
      expect(
        (await casework(`/watchlists/${list.id}/items`, { kind: 'value', value: VALUE, max_reputation: most })).status,
      ).toBe(201)
    const since = encodeURIComponent(new Date().toISOString())
    const [anyone, member] = await Promise.all([follow(), follow(analyst.headers)])

    const rules = join(folder, 'rules.json')
    await writeFile(rules, JSON.stringify({ id: 'median', formula: 2 }))
    const database = /built (\S+);/.exec((await rescore('build', rules)).stdout)![1]!
    await promoteAndKill(database)
    await rescore('show')
    const again = await rescore('promote', database)
    expect(again.stdout).toContain('changes of 0 entities were published')

    const told = (events: ChangeEvent[]) =>
      eventually(
        async () => about(events, VALUE),
        (found) => found.length > 0,
      )
    const [public_] = await told(anyone)
    const [own] = await told(member)
    await settled()
    await report(reporters[1]!, 'end-of-rules.example', -3)
    for (const events of [anyone, member])
      await eventually(
        async () => about(events, 'end-of-rules.example'),
        (found) => found.length > 0,
      )
    expect(public_).toMatchObject({
      kinds: ['scored'],
      reason: 'rescored',
      entity: { reputation: -3, previousReputation: -1 },
    })
    expect(own).toMatchObject({
      kinds: ['scored'],
      reason: 'rescored',
      entity: { reputation: -1, previousReputation: 0 },
    })
    for (const events of [anyone, member]) expect(ownOf(events)).toEqual([VALUE, 'end-of-rules.example'])

    // Whoever comes later is told the same, under the same ids.
    const late = await follow(reporters[0]!.headers, `?since=${since}`)
    expect(about(late, VALUE)).toEqual([public_])

    const alerts = await eventually(
      async () => (await casework('/alerts')).body.items,
      (found) => found.length > 0,
    )
    // The bound of 0 held the view before too.
    expect(alerts).toMatchObject([{ entityValue: VALUE, reputation: -1, count: 1 }])
  }, 480_000)
}
