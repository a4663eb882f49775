import { hash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { matchStore } from '../../../../connectors/history/match/match-store.ts'
import type { PlacedLedgerRow, StoredMatch } from '../../../../connectors/history/match/port.ts'
import { matchReads } from '../../../../connectors/history/match/reads.ts'
import type { FieldName } from '../../../../schemas/match/event.ts'
import { hourOf, rowMark, type StoredLedgerRow } from '../../../../schemas/match/ledger.ts'
import { pushMark } from '../../../../schemas/match/mark.ts'
import { placeOf, reachOf } from '../../../../schemas/match/place.ts'
import { subjectOf } from '../../../../schemas/match/subject.ts'
import { columnsOfRows, idColumns } from '../../../builders/history/match-model/columns.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'

const NOW = Date.now()
const HOUR = hourOf(NOW) - 3_600_000
const DAY = 86_400_000
const ownerOf = (): string => `customer:${randomUUID()}`
const digestOf = (text: string): string => hash('sha256', text, 'hex').slice(0, 32)
const batchOf = (): bigint => BigInt(`0x${randomUUID().slice(0, 8)}`)

function row(owner: string, field: FieldName, raw: string, more: Partial<StoredLedgerRow> = {}): StoredLedgerRow {
  const subject = subjectOf(field, raw)!
  const times = { hour: HOUR, first: HOUR + 1, last: HOUR + 2, expires: NOW + DAY }
  const count = { count: 1, hosts: ['h1'], refs: ['r1'] }
  return { owner, ...placeOf(subject), value: subject.value, field, ...count, ...times, ...more }
}

function match(owner: string, entityId: string, n: number, more: Partial<StoredMatch['match']> = {}): StoredMatch {
  const id = randomUUID()
  return {
    owner,
    groups: ['public'],
    version: 1n,
    match: {
      id,
      direction: 'forward',
      summary: false,
      at: HOUR + n,
      matchedAt: NOW - 1_000 + n,
      event: {
        id: `e${n}`,
        at: HOUR + n,
        lastAt: null,
        count: 1,
        kind: 'dns',
        host: 'h',
        user: null,
        field: 'query',
        value: 'a.example.com',
        refs: ['r'],
      },
      entity: { id: entityId, type: 'domain', value: 'example.com', reputation: -2, accuracy: 1, tags: ['x'] },
      ...more,
    },
  }
}

export function telemetryKept(open: OpenStore): void {
  const { history } = migrated(open)

  const values = (rows: readonly { value: string }[]) => rows.map(({ value }) => value).sort()
  const within = async (owner: string, type: string, value: string) =>
    values(await matchStore(history).ledger([owner], reachOf(type, value), 0, null, 100))

  test('ids are known by the batch that brought them, and stored once', async () => {
    const kept = matchStore(history)
    const batch = batchOf()
    const ids = Array.from({ length: 300 }, (_, n) => ({ digest: digestOf(`${batch}-${n}`), expires: NOW + DAY }))
    await kept.putIds(idColumns(ids), batch)
    await kept.putIds(idColumns(ids), batch)
    const found = await kept.idsOf([digestOf('nobody'), ...ids.map(({ digest }) => digest)])
    expect(found).toEqual(new Map(ids.map(({ digest }) => [digest, batch])))
    const all: string[] = []
    for await (const bytes of kept.ids())
      for (let at = 0; at < bytes.length; at += 16) all.push(bytes.toString('hex', at, at + 16))
    expect(all.sort()).toEqual(ids.map(({ digest }) => digest).sort())
  })

  test('the store marks a value as the job does', async () => {
    const texts = [
      '',
      'ä.example',
      '\u{1f600}',
      ...Array.from({ length: 20 }, (_, n) => 'www.example.com/x?y'.slice(0, n)),
    ]
    const sql =
      'SELECT murmurHash3_32(v) AS high, murmurHash2_32(v) AS low FROM (SELECT arrayJoin({texts:Array(String)}) AS v)'
    const rows = await history.query<{ high: number; low: number }>({ sql, params: { texts } })
    const halves: number[] = []
    for (const text of texts) pushMark(halves, text)
    expect(rows.flatMap(({ high, low }) => [high, low])).toEqual(halves)
  })

  test('what was decided of a batch is read again, also where nothing matched', async () => {
    const kept = matchStore(history)
    const [some, none] = [batchOf(), batchOf()]
    const owner = ownerOf()
    const tally = { owner, entityId: 'domain-1', row: rowMark('a', 'query', HOUR), n: 3, expires: hourOf(NOW + DAY) }
    expect(await kept.decision(some)).toBeNull()
    await kept.putDecision({ at: NOW, tallies: [tally] }, some)
    await kept.putDecision({ at: NOW + 5, tallies: [] }, some)
    await kept.putDecision({ at: NOW, tallies: [] }, none)
    expect(await kept.decision(some)).toEqual({ at: NOW, tallies: [tally] })
    expect(await kept.decision(none)).toEqual({ at: NOW, tallies: [] })
    expect(await kept.tallies(owner, ['domain-1', 'domain-2'])).toEqual(
      new Map([['domain-1', new Map([[tally.row, 3]])]]),
    )
  })

  test('rows of the ledger add up, and each indicator reaches its own', async () => {
    const kept = matchStore(history)
    const owner = ownerOf()
    const rows = [
      row(owner, 'query', 'a.b.example.co.uk'),
      row(owner, 'query', 'b.example.co.uk'),
      row(owner, 'query', 'xb.example.co.uk'),
      row(owner, 'sni', 'example.co.uk'),
      row(owner, 'query', 'co.uk'),
      row(owner, 'url', 'https://a.b.example.co.uk/x?y'),
      row(owner, 'url', 'http://203.0.113.7/x'),
      row(owner, 'url', 'http://192.168.0.1/x'),
      row(owner, 'dst', '203.0.113.7'),
      row(owner, 'dst', '203.0.114.1'),
      row(owner, 'dst', '2001:db8::7'),
      row(owner, 'md5', 'd41d8cd98f00b204e9800998ecf8427e'),
      row(owner, 'email', 'Joe@Example.com'),
      row(ownerOf(), 'dst', '203.0.113.7'),
    ]
    await kept.putLedger(columnsOfRows(rows), batchOf())
    expect(await within(owner, 'domain', 'b.example.co.uk')).toEqual([
      'a.b.example.co.uk',
      'b.example.co.uk',
      'https://a.b.example.co.uk/x?y',
    ])
    expect((await within(owner, 'hostname', 'example.co.uk')).length).toBe(5)
    expect(await within(owner, 'domain', 'co.uk')).toEqual(['co.uk'])
    expect(await within(owner, 'ip', '203.0.113.7')).toEqual(['203.0.113.7', 'http://203.0.113.7/x'])
    expect(await within(owner, 'cidr', '203.0.112.0/22')).toEqual([
      '203.0.113.7',
      '203.0.114.1',
      'http://203.0.113.7/x',
    ])
    expect(await within(owner, 'cidr', '2001:db8::/32')).toEqual(['2001:db8::7'])
    expect(await within(owner, 'url', 'http://192.168.0.1/x')).toEqual(['http://192.168.0.1/x'])
    expect(await within(owner, 'md5', 'd41d8cd98f00b204e9800998ecf8427e')).toEqual(['d41d8cd98f00b204e9800998ecf8427e'])
    expect(await within(owner, 'email-address', subjectOf('email', 'Joe@Example.com')!.value)).toHaveLength(1)
    const again = row(owner, 'dst', '203.0.113.7', {
      count: 4,
      first: HOUR,
      last: HOUR + 9,
      hosts: ['h2'],
      refs: ['r2'],
    })
    await kept.putLedger(columnsOfRows([again]), batchOf())
    const [added] = await kept.ledger([owner], reachOf('ip', '203.0.113.7'), 0, null, 10)
    const sums = { count: 5, first: HOUR, last: HOUR + 9, hosts: ['h1', 'h2'], refs: ['r1', 'r2'] }
    expect(added).toEqual({
      owner,
      anchor: added!.anchor,
      key: '',
      value: '203.0.113.7',
      field: 'dst',
      hour: HOUR,
      ...sums,
    })
  })

  test('a long answer goes on after its last row', async () => {
    const kept = matchStore(history)
    const owner = ownerOf()
    const rows = Array.from({ length: 250 }, (_, n) =>
      row(owner, 'query', `n${n % 50}.example.org`, { hour: HOUR - Math.floor(n / 50) * 3_600_000 }),
    )
    await kept.putLedger(columnsOfRows(rows), batchOf())
    const found: PlacedLedgerRow[] = []
    for (;;) {
      const page = await kept.ledger([owner], reachOf('domain', 'example.org'), 0, found.at(-1) ?? null, 60)
      found.push(...page)
      if (page.length < 60) break
    }
    expect(found).toHaveLength(250)
    expect(new Set(found.map(({ value, hour }) => `${value} ${hour}`)).size).toBe(250)
    const first = await kept.values(owner, 0, null, 30)
    const rest = await kept.values(owner, 0, first.at(-1)!, 100)
    expect(new Set([...first, ...rest].map(({ value }) => value)).size).toBe(50)
    expect(first.length + rest.length).toBe(50)
    await kept.forgetBefore(owner, HOUR)
    expect(await kept.ledger([owner], reachOf('domain', 'example.org'), 0, null, 300)).toHaveLength(50)
    await kept.forget(owner)
    expect(await kept.ledger([owner], reachOf('domain', 'example.org'), 0, null, 300)).toHaveLength(0)
  })

  test('matches are read newest first, by whoever is in their groups, withdrawn with their entity', async () => {
    const kept = matchStore(history)
    const reads = matchReads(history)
    const owner = ownerOf()
    const [one, two] = [`domain-${'1'.repeat(64)}`, `domain-${'2'.repeat(64)}`]
    const told = [
      match(owner, one, 1),
      match(owner, one, 2),
      match(owner, two, 3, { direction: 'retro' }),
      { ...match(owner, two, 4), groups: ['public', 'secret'] },
    ]
    await kept.putMatches(told, 'once')
    await kept.putMatches(told, 'once')
    const asked = { owner, groups: ['public'], since: null, direction: null, entityId: null, after: null, limit: 10 }
    const shown = await reads.matches(asked)
    const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id)
    expect(ids(shown)).toEqual([2, 1, 0].map((n) => told[n]!.match.id))
    expect(shown[2]).toEqual({ ...told[0]!.match, withdrawnAt: null, withdrawnReason: null })
    expect(ids(await reads.matches({ ...asked, groups: ['secret', 'public'], limit: 1 }))).toEqual([told[3]!.match.id])
    expect(ids(await reads.matches({ ...asked, direction: 'retro' }))).toEqual([told[2]!.match.id])
    expect(ids(await reads.matches({ ...asked, entityId: one }))).toEqual([told[1]!.match.id, told[0]!.match.id])
    const { id, matchedAt } = shown[0]!
    expect(ids(await reads.matches({ ...asked, after: { id, matchedAt } }))).toEqual(ids(shown.slice(1)))
    expect(ids(await reads.matches({ ...asked, since: matchedAt }))).toEqual([id])
    expect(await reads.matches({ ...asked, owner: ownerOf() })).toEqual([])

    await kept.putStates([{ owner, entityId: one, version: 7n, withdrawnAt: NOW, reason: 'retracted' }], NOW)
    expect((await reads.matches(asked)).map(({ withdrawnReason }) => withdrawnReason)).toEqual([
      null,
      'retracted',
      'retracted',
    ])
    await kept.putStates([{ owner, entityId: one, version: 8n, withdrawnAt: null, reason: '' }], NOW)
    expect((await reads.matches(asked)).every(({ withdrawnAt }) => withdrawnAt === null)).toBe(true)
    expect(await kept.lastVersion()).toBe(8n)
    expect(await kept.matched([owner, ownerOf()], [one, 'domain-9'], 0)).toEqual([{ owner, entityId: one }])
    expect(await kept.matched([owner], [one], NOW + 1_000)).toEqual([])
    expect(await kept.matchedEntities(owner, '', 10)).toEqual([one, two])
    expect(await kept.matchedEntities(owner, one, 10)).toEqual([two])
    const first = await kept.matchesOf(owner, one, null, 1)
    expect(ids([...first, ...(await kept.matchesOf(owner, one, first[0]!.id, 10))]).sort()).toEqual(
      ids(told.slice(0, 2).map((each) => each.match)).sort(),
    )
    expect((await kept.toldRetro(owner, [one, two])).map((each) => each.id)).toEqual([told[2]!.match.id])
    await kept.putNote('settings of somebody', 'first', 9n, NOW)
    await kept.putNote('settings of somebody', 'second', 10n, NOW)
    expect((await kept.notes()).get('settings of somebody')).toBe('second')
  })

  test('what was seen is answered by value, with all below a name, and for addresses of a network', async () => {
    const kept = matchStore(history)
    const reads = matchReads(history)
    const owner = ownerOf()
    const rows = [
      row(owner, 'query', 'example.net', { count: 2 }),
      row(owner, 'query', 'www.example.net', { hour: HOUR - 3_600_000, count: 3 }),
      row(owner, 'url', 'http://www.example.net/a'),
      row(owner, 'dst', '198.51.100.9'),
    ]
    await kept.putLedger(columnsOfRows(rows), batchOf())
    const ask = (value: string, below = false) => reads.seen({ owner, value, below, since: 0, limit: 10 })
    const exact = await ask('EXAMPLE.net.')
    expect(exact.total).toEqual({ rows: 1, count: 2, first: HOUR + 1, last: HOUR + 2 })
    expect(values(exact.rows)).toEqual(['example.net'])
    const all = await ask('example.net', true)
    expect(all.total?.count).toBe(6)
    expect(all.rows.map(({ hour }) => hour)).toEqual([HOUR, HOUR, HOUR - 3_600_000])
    expect(values((await ask('198.51.100.0/24')).rows)).toEqual(['198.51.100.9'])
    expect(values((await ask('http://www.example.net/a')).rows)).toEqual(['http://www.example.net/a'])
    expect(await ask('nobody.example')).toEqual({ total: null, rows: [] })
    expect(await ask('   ')).toEqual({ total: null, rows: [] })
  })
}
