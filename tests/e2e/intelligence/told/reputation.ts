import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { command } from '../../../builders/platform/command.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import { REPUTATION, sendLines } from '../../../builders/reputation/reputation-area.ts'

type Headers = Record<string, string> | null
// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
type Json = any

/** Reputations: equal to look-ups for every caller, and what was taken away is gone at once (decisions 18.4). */
export function reputation(shared: Shared): void {
  const { platform } = shared
  let blue: User
  let red: User
  beforeAll(async () => {
    const of = (group: string) => newUserOf(platform, { roles: ['user', 'reporter'], groups: [group] })
    ;[blue, red] = [await of('rep-blue'), await of('rep-red')]
    const said: [User, string, string, object][] = [
      [blue, 'ip', '192.0.2.1', { reputation: -3, tags: ['blue'] }],
      [red, 'ip', '192.0.2.1', { reputation: 2, tags: ['red'] }],
      [blue, 'ip', '192.0.2.2', { reputation: -2, visibleBy: ['public'], tags: ['all'] }],
      [red, 'ip', '192.0.2.2', { reputation: -1, tags: ['red'] }],
      [blue, 'cidr', '192.0.2.0/25', { reputation: -1, visibleBy: ['public'] }],
      [red, 'cidr', '192.0.2.0/28', { reputation: -3 }],
      [blue, 'domain', 'rep-agree.example', { reputation: -2, visibleBy: ['public'] }],
      [red, 'hostname', 'a.rep-agree.example', { reputation: 3 }],
      [blue, 'url', 'http://rep-agree.example/x', { reputation: -1 }],
      [blue, 'password', '192.0.2.9', { reputation: -3, visibleBy: ['public'] }],
      [red, 'email-address', 'x@rep-agree.example', { visibleBy: ['public'] }],
      [blue, 'md5', 'd41d8cd98f00b204e9800998ecf84299', { reputation: 1 }],
      [blue, 'adversary', 'Agreeing Bear', { reputation: -3, visibleBy: ['public'] }],
    ]
    for (const [user, type, value, rest] of said) {
      const body = { type, attributes: { [type]: value }, ...rest }
      expect((await platform.ask('/api/ingest/v1/entity', body, user.headers)).status).toBe(202)
    }
    await settled()
  })

  const settled = () =>
    eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
  const reputations = async (values: string[], as: Headers): Promise<Json[]> => {
    const { status, body, headers } = await platform.ask(REPUTATION, { values }, as)
    expect(status).toBe(200)
    expect(headers.get('x-answered-by')).toMatch(/^(index|store)$/)
    return body.items
  }
  const VALUES = [
    '192.0.2.1',
    '192[.]0[.]2[.]2',
    '192.0.2.3',
    '192.0.2.100',
    '192.0.2.200',
    '192.0.2.0/25',
    '192.0.2.0/28',
    '192.0.2.0/30',
    '192.0.2.9',
    'rep-agree.example',
    'REP-Agree[.]example.',
    'a.rep-agree.example',
    'b.a.rep-agree.example',
    'http://rep-agree.example/x',
    'hxxp://rep-agree[.]example/y',
    'http://192.0.2.1/',
    'x@rep-agree.example',
    'y@rep-agree.example',
    'd41d8cd98f00b204e9800998ecf84299',
    'Agreeing Bear',
    'disagreeing bear',
    '10.0.0.1',
    '',
    ' ',
    'http://',
    '192.0.2.2',
  ]

  describe('an answer', () => {
    test('is for each caller what a look-up is, of lists, of lines and of one value', async () => {
      for (const as of [null, blue.headers, red.headers, ADMINISTRATOR]) {
        const items = await reputations(VALUES, as)
        expect(items.map(({ value }) => value)).toEqual(VALUES)
        const { lines } = await sendLines(platform.url, VALUES.map((v) => JSON.stringify(v)).join('\n'), as ?? {})
        expect(lines).toEqual([...items, { answered: VALUES.length, refused: 0 }])
        const { body } = await platform.ask(
          '/api/search/v1/entities/lookup',
          { values: VALUES.filter((v) => v.trim() !== '') },
          as,
        )
        const looked = new Map<string, Json[]>(body.results.map((found: Json) => [found.value, found.entities]))
        for (const item of items.filter(({ value }) => value.trim() !== '')) {
          const entities = looked.get(item.value) ?? []
          const label = `${item.value} for ${as === null ? 'nobody' : as['api-key']}`
          expect([label, item.known]).toEqual([label, entities.length > 0])
          expect([label, item.notIndicator === true]).toEqual([label, body.unrecognised.includes(item.value)])
          if (!item.known) continue
          const entity = entities.find(({ id }) => id === item.id)
          expect([label, entity?.type, entity?.['@timestamp'] ?? entity?.firstSeen]).toEqual([
            label,
            item.type,
            item.firstSeen,
          ])
          expect(Date.parse(entity.lastSeen) - Date.parse(item.lastSeen)).toBeGreaterThanOrEqual(0)
          if (item.by !== undefined) continue
          const { reputation: score, accuracy, tags, wellKnown } = entity
          expect({ label, score, accuracy, tags, wellKnown }).toEqual({
            label,
            score: item.reputation,
            accuracy: item.accuracy,
            tags: item.tags,
            wellKnown: item.wellKnown,
          })
        }
        const [one] = await reputations(['hxxp://rep-agree[.]example/y'], as)
        const path = `${REPUTATION}/${encodeURIComponent('hxxp://rep-agree[.]example/y')}`
        expect((await platform.ask(path, undefined, as)).body).toEqual(one)
      }
    })

    test('follows from what the caller reads, and shows nothing of the rest', async () => {
      const of = async (as: Headers) => {
        const [one, two, three, host] = await reputations(
          ['192.0.2.1', '192.0.2.2', '192.0.2.3', 'a.rep-agree.example'],
          as,
        )
        return { one, two, three, host }
      }
      const nobody = await of(null)
      expect(nobody.one).toMatchObject({ known: false, reputation: -1, by: { value: '192.0.2.0/25' } })
      expect(nobody.two).toMatchObject({ known: true, reputation: -2, tags: ['all'] })
      expect(nobody.host).toMatchObject({ known: false, reputation: -2, by: { value: 'rep-agree.example' } })
      const blues = await of(blue.headers)
      expect(blues.one).toMatchObject({ known: true, reputation: -3, tags: ['blue'] })
      expect(blues.three).toMatchObject({ known: false, by: { value: '192.0.2.0/25' } })
      const reds = await of(red.headers)
      expect(reds.one).toMatchObject({ known: true, tags: ['red'] })
      expect(reds.one.reputation).toBeGreaterThan(0)
      expect(reds.two).toMatchObject({ known: true, tags: ['all', 'red'] })
      expect(reds.three).toMatchObject({ known: false, reputation: -3, by: { value: '192.0.2.0/28' } })
      expect(reds.host).toMatchObject({ known: true, type: 'hostname' })
      expect(JSON.stringify([nobody, blues])).not.toContain('red')
    })
  })

  test('a right that is taken away holds for the next answer', async () => {
    const member = await newUserOf(platform, { roles: ['user'], groups: ['rep-blue'] })
    expect(await reputations(['192.0.2.1'], member.headers)).toMatchObject([{ reputation: -3, known: true }])
    const changed = await fetch(`${platform.url}/auth/v2/admin/user/${member.id}`, {
      method: 'PUT',
      headers: { ...ADMINISTRATOR, 'content-type': 'application/json' },
      body: JSON.stringify({ groups: ['public'], roles: ['user'] }),
    })
    expect(changed.status).toBe(200)
    expect(await reputations(['192.0.2.1'], member.headers)).toMatchObject([
      { known: false, by: { value: '192.0.2.0/25' } },
    ])
  })

  test('what a feed takes back is unknown', async () => {
    const file = join(shared.folder, 'taken-back.txt')
    writeFileSync(file, 'taken-back.example\n192.0.2.250\n')
    const import_ = ['feed', 'import', file, '--format', 'lines', '--feed', 'rep-feed']
    expect((await command(shared.folder, ...import_)).code).toBe(0)
    const VALUES = ['taken-back.example', 'x.taken-back.example', 'http://192.0.2.250/', '192.0.2.250']
    await eventually(
      () => reputations(VALUES, null),
      (items) => items.every(({ reputation: score }) => score < 0),
    )
    const body = { feed: 'rep-feed', from: '1970-01-01T00:00:00Z', preview: false }
    expect((await platform.ask('/api/admin/v1/retractions', body)).status).toBe(200)
    // The answer to a retraction comes when it is applied; an index may follow within a second (decisions 18.4).
    const items = await eventually(
      () => reputations(VALUES, null),
      ([first]) => first.reputation === 0,
    )
    expect(items).toEqual(
      VALUES.map((value) => ({ value, known: false, reputation: 0, accuracy: 0, tags: [], wellKnown: false })),
    )
  })
}
