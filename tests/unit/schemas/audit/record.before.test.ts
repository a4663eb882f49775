import { readFileSync } from 'node:fs'
import avsc from 'avsc'
import { expect, test } from 'vitest'
import { shownRecord } from '../../../../cli/commands/audit/records.ts'
import { exportRecords } from '../../../../cli/commands/audit/register.ts'
import { conflicts } from '../../../../connectors/registry/embedded/compatibility.ts'
import { ocsfEvent } from '../../../../schemas/audit/ocsf.ts'
import {
  type AuditEntry,
  type AuditRecord,
  auditKey,
  type Head,
  hashOf,
  seal,
} from '../../../../schemas/audit/record.ts'
import { chainOf } from '../../../../schemas/audit/verify.ts'
import { decoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { AUDIT_EVENTS } from '../../../../schemas/log/topics.ts'
import { AUDIT_SCHEMA, auditEntry, chained, encodeAudit } from '../../../builders/audit/records.ts'
import { memoryLog } from '../../../builders/log/memory-log.ts'

/** Two records of the partition 1 as a version without details wrote them, under its schema. */
const BEFORE = [
  'AAAAAAZIMDAwMDAwMDAtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAxgMDiheNoAgACSDAwMDAwMDAwLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwMDAwNwAScm9sZS5naXZlSDAwMDAwMDAwLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwMDAwOA5zdWNjZXNzFjIwMy4wLjExMy43AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+u71rE5c/wPtljqUjx7hiM0qI6qh9ixGreWru+cGYGQ=',
  'AAAAAAZIMDAwMDAwMDAtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAy6MfiheNoAgICSDAwMDAwMDAwLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwMDAwNwJIMDAwMDAwMDAtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDA5FnVzZXIuY2hhbmdlAA5yZWZ1c2VkFjIwMDE6ZGI4Ojo3GPru9axOXP8D7ZY6lI8e4YjNKiOqofYsRq3lq7vnBmBkMlqY6MBX7trzV5mkKdKzplCh3L268b5Pf8ancDyDDTA=',
].map((text) => Buffer.from(text, 'base64'))
const HASHES = [
  'faeef5ac4e5cff03ed963a948f1ee188cd2a23aaa1f62c46ade5abbbe7066064',
  '325a98e8c057eedaf35799a429d2b3a650a1dcbdbaf1be4f7fc6a7703c830d30',
]
const SCHEMA_BEFORE = AUDIT_SCHEMA - 1

const now = JSON.parse(readFileSync('schemas/log/avro/audit-event.avsc', 'utf8'))
const before = { ...now, fields: now.fields.filter(({ name }: { name: string }) => name !== 'details') }
const typeBefore = avsc.Type.forSchema(before)
const known = (id: number) => (id === SCHEMA_BEFORE ? typeBefore : id === AUDIT_SCHEMA ? records.audit : undefined)
const decode = decoder<AuditRecord>(records.audit, known)

const read = (bytes: Buffer): AuditRecord => {
  const decoded = decode(bytes)
  if (!decoded.ok) throw new Error(decoded.reason)
  return decoded.record
}

test('the schema reads records of before, and versions of before read those of now', () => {
  expect(conflicts('FULL', records.audit, [typeBefore])).toEqual([])
})

test('records of before have the hashes that they had, and a chain goes on from them with details', () => {
  const old = BEFORE.map(read)
  expect(old.map((record) => [record.details, hashOf(record).toString('hex')])).toEqual(
    HASHES.map((hash) => [[], hash]),
  )
  const head: Head = { partition: 1, count: 2, hash: old[1]!.hash }
  const next = seal(head, auditEntry({ details: [{ what: 'roles', count: 1, first: ['reporter'] }] })).record
  const chain = chainOf(1)
  for (const [offset, value] of [...BEFORE, encodeAudit(next)].entries())
    expect(chain.add({ offset, key: Buffer.from(auditKey(read(value))), headers: {}, decoded: decode(value) })).toBe(
      null,
    )
  expect(chain.head()).toEqual({ partition: 1, count: 3, hash: next.hash })
})

test('records of before are shown and exported as they were', async () => {
  const [, second] = BEFORE.map(read)
  const shown = {
    id: '00000000-0000-4000-8000-000000000002',
    at: '2027-01-15T08:00:00.500Z',
    partition: 1,
    offset: 1,
    sequence: 1,
    actor: { userID: '00000000-0000-4000-8000-000000000007', keyID: '00000000-0000-4000-8000-000000000009' },
    action: 'user.change',
    subject: null,
    outcome: 'refused',
    ip: '2001:db8::7',
    count: 12,
    previousHash: HASHES[0],
    hash: HASHES[1],
  }
  expect(shownRecord(second!, 1)).toEqual(shown)
  expect(Object.keys(ocsfEvent(second!, 1, { version: '1.0.0' }).unmapped)).not.toContain('details')
  const log = memoryLog(2)
  const messages = BEFORE.map((value) => ({ key: 'x', value, partition: 1, timestamp: 0 }))
  await log.send([{ topic: AUDIT_EVENTS, messages }])
  const lines: string[] = []
  const options = { format: 'ndjson', since: null, until: null, signal: new AbortController().signal } as const
  const registry = { known, schema: async () => undefined }
  const write = async (some: string) => void lines.push(...some.split('\n'))
  expect(await exportRecords({ log, registry }, { ...options, write })).toBe(2)
  expect(JSON.parse(lines[1]!)).toEqual(shown)
})

test('an entry that a version of before stored is sealed as it would have been', () => {
  const entry = JSON.parse(JSON.stringify(auditEntry())) as AuditEntry
  expect(Object.keys(entry)).not.toContain('details')
  const [record] = chained([entry])
  expect(read(encodeAudit(record!))).toEqual(record)
  expect(record!.details).toEqual([])
})

test('no two records with other details have one hash', () => {
  const entry = auditEntry()
  const of = (...details: NonNullable<AuditEntry['details']>) =>
    chained([{ ...entry, details }])[0]!.hash.toString('hex')
  const one = { what: 'given', count: 1, first: ['red'] }
  const hashes = [
    of(),
    of(one),
    of({ ...one, what: 'taken' }),
    of({ ...one, count: 2 }),
    of({ ...one, first: ['red', 'blue'] }),
    of({ ...one, first: ['red,blue'] }),
    of(one, one),
  ]
  expect(new Set(hashes).size).toBe(hashes.length)
})
