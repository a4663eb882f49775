import { beforeAll, expect, test } from 'vitest'
import { auditReads, auditStore } from '../../../../connectors/history/audit/audit-store.ts'
import type { AuditReads, AuditStore, PlacedAudit } from '../../../../connectors/history/audit/port.ts'
import type { History } from '../../../../connectors/history/port.ts'
import type { AuditFilter } from '../../../../schemas/audit/audit-cursor.ts'
import type { AuditEntry } from '../../../../schemas/audit/record.ts'
import { auditEntry, chained } from '../../../builders/audit/records.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { during } from '../../../builders/suite/during.ts'

const AT = 1_800_000_000_000
const [ADA, BEN] = ['0000000a-0000-4000-8000-000000000000', '0000000b-0000-4000-8000-000000000000']
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const ALL: AuditFilter = { actor: null, action: null, subject: null, since: null, until: null }

/** Two a millisecond, by turns of two people; every third makes a user. */
const ENTRIES: AuditEntry[] = Array.from({ length: 40 }, (_, i) =>
  auditEntry({
    id: id(i),
    at: AT + Math.floor(i / 2),
    userID: i % 2 === 0 ? ADA : BEN,
    action: i % 3 === 0 ? 'user.make' : 'key.make',
    subject: `subject-${i % 5}`,
  }),
)
const placed = (entries: readonly AuditEntry[]): PlacedAudit[] =>
  chained(entries, 1).map((record, offset) => ({ record, partition: 1, offset }))

export function auditRecords(open: OpenStore): void {
  const store = during(open)
  let table: AuditStore
  let reads: AuditReads
  let home: History

  beforeAll(async () => {
    const { history } = await store.migrated()
    home = history
    table = auditStore(history)
    reads = auditReads(history)
  })

  const idsOf = async (filter: Partial<AuditFilter>, limit = 100) =>
    (await reads.page({ ...ALL, ...filter }, null, limit)).map((record) => record.id)
  /** Newest first, as the page must be. */
  const wanted = (keep: (entry: AuditEntry) => boolean) =>
    ENTRIES.filter(keep)
      .toSorted((a, b) => b.at - a.at || (b.id < a.id ? -1 : 1))
      .map((entry) => entry.id)

  test('a table is empty until the first record, and a record reads back whole', async () => {
    expect(await table.isEmpty()).toBe(true)
    expect(await idsOf({})).toEqual([])
    const [nobody] = placed([
      auditEntry({ id: id(900), at: AT - 5, userID: null, keyID: id(7), count: 12, subject: '' }),
    ])
    await table.put([nobody!], 'audit:1:900:901')
    expect(await table.isEmpty()).toBe(false)
    const { record } = nobody!
    expect(await reads.page({ ...ALL, until: AT }, null, 10)).toEqual([
      {
        id: id(900),
        at: AT - 5,
        partition: 1,
        offset: 0,
        sequence: 0,
        userID: null,
        keyID: id(7),
        action: 'key.make',
        subject: '',
        outcome: 'success',
        ip: '203.0.113.7',
        count: 12,
        previousHash: '0'.repeat(64),
        hash: record.hash.toString('hex'),
        details: [],
      },
    ])
  })

  test('a record that says more reads back with it, and a row of before has no more', async () => {
    const details = [
      { what: 'given', count: 12, first: ['red', '"blue"'] },
      { what: 'taken', count: 1, first: ['green'] },
    ]
    await table.put(
      placed([auditEntry({ id: id(901), at: AT - 9, action: 'groups.change', details })]),
      'audit:1:901:902',
    )
    // As a version without details writes it.
    await home.command(
      `INSERT INTO audit_events (at, id, action) SELECT fromUnixTimestamp64Milli(${AT - 8}, 'UTC'), '${id(902)}', 'user.change'`,
    )
    const found = await reads.page({ ...ALL, until: AT - 5 }, null, 10)
    expect(found.map((record) => [record.id, record.details])).toEqual([
      [id(902), []],
      [id(901), details],
    ])
  })

  test('a range that comes again adds nothing, and neither does a record in another range', async () => {
    const records = placed(ENTRIES)
    await table.put(records, 'audit:1:0:40')
    await table.put(records, 'audit:1:0:40')
    await table.put(records.slice(10, 20), 'audit:1:10:20')
    expect(await idsOf({ since: AT })).toEqual(wanted(() => true))
  })

  test('filters are those of the question, alone and together', async () => {
    expect(await idsOf({ actor: ADA })).toEqual(wanted(({ userID }) => userID === ADA))
    expect(await idsOf({ since: AT, action: 'user.make' })).toEqual(wanted(({ action }) => action === 'user.make'))
    expect(await idsOf({ subject: 'subject-3' })).toEqual(wanted(({ subject }) => subject === 'subject-3'))
    expect(await idsOf({ since: AT + 3, until: AT + 7 })).toEqual(wanted(({ at }) => at >= AT + 3 && at < AT + 7))
    expect(await idsOf({ actor: BEN, action: 'user.make', subject: 'subject-4', until: AT + 15 })).toEqual(
      wanted((e) => e.userID === BEN && e.action === 'user.make' && e.subject === 'subject-4' && e.at < AT + 15),
    )
    expect(await idsOf({ actor: `${ADA}' OR 1 = 1 --` })).toEqual([])
  })

  test('pages of any size, one after the other, are all records once, also where many have one time', async () => {
    for (const limit of [1, 3, 7]) {
      const seen: string[] = []
      for (let after: { at: number; id: string } | null = null; ; ) {
        const page = await reads.page({ ...ALL, since: AT }, after, limit)
        seen.push(...page.map((record) => record.id))
        if (page.length < limit) break
        const last = page.at(-1)!
        after = { at: last.at, id: last.id }
      }
      expect(seen).toEqual(wanted(() => true))
    }
  })
}
