import { expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { ADDRESS } from '../../../builders/accounts/team.ts'
import { newUserOf } from '../../../builders/accounts/users.ts'
import { command } from '../../../builders/platform/command.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** What is done on a platform, as its audit log tells it: by the API, by the command line, and on the log itself. */
export function audit(shared: Shared): void {
  const { folder, platform } = shared

  type Shown = {
    action: string
    subject: string | null
    outcome: string
    actor: { userID: string | null }
    hash: string
    sequence: number
    partition: number
  }
  const records = async (query = ''): Promise<Shown[]> =>
    (await platform.ask(`/api/admin/v1/audit?limit=1000${query}`)).body.items

  async function change(method: string, path: string, headers: Record<string, string>, body?: unknown) {
    const response = await fetch(`${platform.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return response.status
  }

  test('changes, verdicts, exports and refusals are in the audit log, which is whole', {
    timeout: 240_000,
  }, async () => {
    const user = await newUserOf(platform, { roles: ['user', 'reporter'], groups: ['public', 'blue'] })
    await platform.ask(`/auth/v2/admin/user/${user.id}/roles`, { role: 'trusted' })
    const customer = { name: 'Acme', email: 'billing@example.com', billingAddress: ADDRESS }
    const made = await platform.ask('/api/billing/v1/customer', customer, user.headers)
    expect(made.status).toBe(201)
    const entity = entityId('ip', '203.0.113.7')
    await platform.ask('/api/ingest/v1/entity', { type: 'ip', attributes: { ip: '203.0.113.7' }, reputation: -3 })
    await eventually(
      () => platform.ask(`/api/search/v1/entity/${entity}`),
      ({ status }) => status === 200,
    )
    const verdict = { verdict: 'malicious', reason: 'seen by our own sensors' }
    expect(await change('PUT', `/api/casework/v1/verdicts/${entity}`, user.headers, verdict)).toBeLessThan(300)
    const wanted = { name: 'list of ours', selector: { types: ['ip'], reputation: { lte: -1 } }, guard: null }
    const { body: feed } = await platform.ask('/api/feeds/v1/feeds', wanted, user.headers)
    await eventually(
      async () => {
        const answer = await fetch(`${platform.url}/api/feeds/v1/feeds/${feed.id}/items.ndjson`, {
          headers: user.headers,
        })
        return answer.status
      },
      (status) => status === 200,
    )
    expect((await platform.ask('/api/admin/v1/lag', undefined, user.headers)).status).toBe(403)
    const found = await eventually(
      () => records(`&actor=${user.id}`),
      (all) =>
        ['customer.make', 'verdict.set', 'feed.make', 'feed.export', 'permission.refused'].every((name) =>
          all.some(({ action }) => action === name),
        ),
    )
    expect(found.find(({ action }) => action === 'verdict.set')).toMatchObject({ subject: entity, outcome: 'begun' })
    expect(found.find(({ action }) => action === 'feed.make')).toMatchObject({ subject: feed.id, outcome: 'success' })
    expect(found.find(({ action }) => action === 'feed.export')).toMatchObject({ subject: feed.id, outcome: 'success' })
    expect(found.find(({ action }) => action === 'permission.refused')).toMatchObject({ outcome: 'refused' })
    expect(JSON.stringify(found)).not.toMatch(/sensors|list of ours/)

    const told = await eventually(
      () => records(`&subject=${user.id}`),
      (of) => of.some(({ action }) => action === 'role.give'),
    )
    const given = [{ what: 'roles', count: 1, first: ['trusted'] }]
    expect(told.find(({ action }) => action === 'role.give')).toMatchObject({ details: given })

    // Everything by whoever, a page at a time, as the list has it at once.
    const all = await records()
    const paged: Shown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: { items: Shown[]; cursor: string | null } } = await platform.ask(
        `/api/admin/v1/audit?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      paged.push(...body.items)
      cursor = body.cursor
    }
    const reads = ({ action }: Shown) => action === 'audit.read'
    expect(paged.filter((one) => !reads(one))).toEqual(all.filter((one) => !reads(one)))

    const verified = await command(folder, 'audit', 'verify')
    expect([verified.code, verified.stderr]).toEqual([0, ''])
    const heads = [...verified.stdout.matchAll(/head (\S+)/g)].map(([, head]) => head!)
    expect(heads).toHaveLength(2)
    expect((await command(folder, 'audit', 'verify', ...heads.flatMap((head) => ['--head', head]))).code).toBe(0)
    const [partition, count] = heads.find((head) => !head.includes(':0:'))!.split(':')
    const another = await command(folder, 'audit', 'verify', '--head', `${partition}:${count}:${'0'.repeat(64)}`)
    expect(another.code).toBe(1)
    expect(another.stdout).toContain('another chain')
    expect((await command(folder, 'audit', 'verify', '--head', 'nonsense')).code).toBe(2)

    const exported = await command(folder, 'audit', 'export', '--format', 'ocsf')
    const events = exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.length).toBeGreaterThanOrEqual(all.length)
    expect(events.map(({ unmapped }) => unmapped.details)).toContainEqual(given)
    expect(new Set(events.map(({ class_uid: id }) => id))).toEqual(new Set([3001, 6003]))
    expect((await command(folder, 'audit', 'export', '--until', '2020-01-01')).stdout).toBe('')
  })
}
