import { describe, expect, test } from 'vitest'
import { type AuditRecord, auditKey, hashOf, seal } from '../../../../schemas/audit/record.ts'
import { type CheckedMessage, chainOf, type Fault } from '../../../../schemas/audit/verify.ts'
import { decoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { AUDIT_SCHEMA, auditEntry, chained, encodeAudit } from '../../../builders/audit/records.ts'

const decode = decoder<AuditRecord>(records.audit, (id) => (id === AUDIT_SCHEMA ? records.audit : undefined))

type Message = { key: Buffer | null; value: Buffer; headers?: Record<string, string> }
const messageOf = (record: AuditRecord): Message => ({ key: Buffer.from(auditKey(record)), value: encodeAudit(record) })

function check(messages: readonly Message[], counts: readonly number[] = []) {
  const chain = chainOf(3, counts)
  const faults: Fault[] = []
  for (const [offset, { key, value, headers = {} }] of messages.entries()) {
    const message: CheckedMessage = { offset, key, headers, decoded: decode(value) }
    const fault = chain.add(message)
    if (fault !== null) {
      faults.push(fault)
      break
    }
  }
  return { faults, head: chain.head(), chain }
}

const some = (n: number) =>
  chained(
    Array.from({ length: n }, () => auditEntry()),
    3,
  )

describe('a chain', () => {
  test('as it was written is whole, and its head is the last record', () => {
    const written = some(20)
    const { faults, head } = check(written.map(messageOf))
    expect(faults).toEqual([])
    expect(head).toEqual({ partition: 3, count: 20, hash: written[19]!.hash })
  })

  test('with any one byte of any record changed is named by the place of that record', () => {
    const details = [
      { what: 'given', count: 12, first: ['red', 'blue'] },
      { what: 'taken', count: 1, first: ['green'] },
    ]
    const messages = chained([auditEntry(), auditEntry({ details }), auditEntry()], 3).map(messageOf)
    expect(check(messages).faults).toEqual([])
    for (const [at, { value }] of messages.entries())
      for (let byte = 0; byte < value.length; byte++) {
        const changed = Buffer.from(value)
        changed[byte]! ^= 0x01
        const { faults } = check(messages.with(at, { ...messages[at]!, value: changed }))
        expect(faults.map(({ partition, offset }) => [partition, offset])).toEqual([[3, at]])
      }
  })

  test('with a changed key, added headers, or the key taken away is named by its place', () => {
    const messages = some(3).map(messageOf)
    const wrong: Partial<Message>[] = [{ key: Buffer.from('other') }, { key: null }, { headers: { a: 'b' } }]
    for (const change of wrong)
      expect(check(messages.with(1, { ...messages[1]!, ...change })).faults).toMatchObject([{ offset: 1 }])
  })

  test('whose records were written anew from one on differs from the head that was kept', () => {
    const written = some(6)
    const head = { partition: 3, count: 3, hash: written[2]!.hash }
    const forged = seal(head, auditEntry({ action: 'key.delete' })).record
    const { faults, chain } = check([...written.slice(0, 3), forged].map(messageOf), [4])
    expect(faults).toEqual([])
    expect(chain.hashAt(4)?.equals(written[3]!.hash)).toBe(false)
    expect(check(written.map(messageOf), [4]).chain.hashAt(4)?.equals(written[3]!.hash)).toBe(true)
  })

  test('that lacks a record, or has two in another order, is named by the place where it breaks', () => {
    const messages = some(5).map(messageOf)
    expect(check(messages.toSpliced(2, 1)).faults).toMatchObject([{ offset: 2 }])
    expect(check(messages.slice(1)).faults).toMatchObject([{ offset: 0 }])
    const [a, b, c, d, e] = messages as [Message, Message, Message, Message, Message]
    expect(check([a, c, b, d, e]).faults).toMatchObject([{ offset: 1 }])
  })

  test('whose relay sent a run of records twice is whole', () => {
    const messages = some(9).map(messageOf)
    const sent = [...messages.slice(0, 6), ...messages.slice(2, 6), ...messages.slice(4), ...messages.slice(0, 3)]
    expect(check(sent)).toMatchObject({ faults: [], head: { count: 9 } })
  })

  test('does not take another record of the same place for a repeat', () => {
    const written = some(4)
    const { hash: _, ...other } = { ...written[1]!, action: 'key.delete' }
    const forged = { ...other, hash: hashOf(other) }
    expect(check([...written.map(messageOf), messageOf(forged)]).faults).toMatchObject([{ offset: 4 }])
  })

  test('of another partition is refused', () => {
    expect(check(chained([auditEntry()], 2).map(messageOf)).faults).toMatchObject([{ offset: 0 }])
  })

  test('of more records than are remembered still knows a late repeat, and none that is older', {
    timeout: 60_000,
  }, () => {
    const written = chained(
      Array.from({ length: 66_000 }, () => auditEntry()),
      3,
    )
    const chain = chainOf(3)
    const add = (record: AuditRecord, offset: number) =>
      chain.add({ offset, key: Buffer.from(auditKey(record)), headers: {}, decoded: { ok: true, record } })
    expect(written.findIndex((record, offset) => add(record, offset) !== null)).toBe(-1)
    expect(add(written[65_000]!, 66_000)).toBe(null)
    expect(add(written[10]!, 66_001)).not.toBe(null)
  })
})
