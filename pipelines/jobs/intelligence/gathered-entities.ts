import type { Batch, OutgoingMessage } from '../../../connectors/log/port.ts'
import type { EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import { ENTRY_FORM, encodeEntity } from '../../../schemas/intelligence/state/rows/entry.ts'
import { bytesOf, packInto, type StoredRows, sealOf } from '../../../schemas/intelligence/state/rows/stored-rows.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { isWide } from '../../processors/intelligence/changes.ts'

/** Bytes of entries in one record, if no entry alone is larger: half of what Kafka takes. */
const PART = 512 * 1024
/** Hexadecimal digits of a digest, with which an id ends. */
const DIGITS = 64
const NONE: readonly never[] = []

/**
 * The rows of the entities of a batch, as an index of look-ups keeps them, in records of `entity.rows` (ADR 288).
 * @param database of the tables that the rows are stored in
 */
export function gatheredEntities(schemaId: number, database: string, { partition, from, to, messages }: Batch) {
  const encode = encoder<StoredRows>(records.storedRows, schemaId)
  const parts: Buffer[] = []
  let bytes = Buffer.allocUnsafe(PART)
  let at = 0

  function endPart(): void {
    parts.push(bytes.subarray(0, at))
    bytes = Buffer.allocUnsafe(PART)
    at = 0
  }

  return {
    push(rows: EntityStates): void {
      const { entityId, type, value } = rows[0]!
      const wide = isWide(rows)
      const kept = wide ? rows.map((row) => ({ ...row, claims: NONE })) : rows
      const entry = encodeEntity({ type, value, wide, rows: kept })
      if (entry === null) return
      const needed = bytesOf(entry)
      if (at > 0 && at + needed > PART) endPart()
      if (needed > bytes.length) bytes = Buffer.allocUnsafe(needed)
      packInto(bytes, at, entityId.slice(-DIGITS), entry)
      at += needed
    },
    /** One at least, as a batch that is missing is one that the index lacks. Call once, when all was given. */
    messages(): OutgoingMessage[] {
      endPart()
      const seal = sealOf(messages.at(-1)!.value)
      const of = { form: ENTRY_FORM, database, partition, from, to, seal }
      return parts.map((entries, part) => ({
        key: null,
        value: encode({ ...of, part, last: part === parts.length - 1, entries }),
        partition: 0,
      }))
    },
  }
}

export type GatheredEntities = ReturnType<typeof gatheredEntities>
