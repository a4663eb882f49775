import type { CollectionWrite } from '../../../../schemas/feeds-out/collections/write.ts'
import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import { int64, string, table, uint8, uint32, uint64, uuid } from '../../native/native.ts'
import { ALL_FEEDS } from '../../sql/feeds-out/columns-sql.ts'

/** A block of `taxii_objects`. */
export const objectsBlock = () =>
  table({
    line: uint8,
    feed: uuid,
    added: uint64,
    superseded: uint64,
    sequence: uint64,
    key: uint64,
    entity_id: string,
    life: uint32,
    live: uint8,
    shown: uint64,
    first_seen: int64,
    modified: int64,
    valid_until: int64,
    look_at: int64,
    object_type: string,
    object_id: string,
    object_version: uint64,
    is_first: uint8,
    in_force: uint8,
    digest: uint64,
    text: string,
  })

type Block = ReturnType<typeof objectsBlock>
type Row = Parameters<Block['add']>[0]

const EMPTY: Row = {
  line: 0,
  feed: ALL_FEEDS,
  added: 0,
  superseded: 0,
  sequence: 0,
  key: 0n,
  entity_id: '',
  life: 0,
  live: 0,
  shown: 0n,
  first_seen: 0,
  modified: 0,
  valid_until: 0,
  look_at: 0,
  object_type: '',
  object_id: '',
  object_version: 0,
  is_first: 0,
  in_force: 0,
  digest: 0n,
  text: '',
}

/** Digits of a version in a claim, so that the latest is the greatest text. */
const DIGITS = 20

/** What says that a write or a claim of this version, by this writer, was the last. */
export const rowOfClaim = (version: number, writer: string): Row =>
  Object.assign({}, EMPTY, { text: `${String(version).padStart(DIGITS, '0')} ${writer}` })

/** Version and writer of a claim; 0 and nobody where there was none. */
export const claimIn = (text: string): { version: number; writer: string } => ({
  version: Number(text.slice(0, DIGITS) || '0'),
  writer: text.slice(DIGITS + 1),
})

/** Adds the rows of a collection. The last of them says how far it is. */
export function addRows(block: Block, { feed, rows, sequence }: CollectionWrite): void {
  for (const [at, { added, object, supersedes, entity }] of rows.entries()) {
    const row: Record<string, unknown> = { ...EMPTY, feed, added }
    if (sequence !== null && at === rows.length - 1) row.sequence = sequence + 1
    if (entity !== null)
      Object.assign(row, {
        key: entityKey(entity.entityId),
        entity_id: entity.entityId,
        life: entity.life,
        live: Number(entity.live),
        shown: entity.shown,
        first_seen: entity.firstSeen,
        modified: entity.modified,
        valid_until: entity.validUntil,
        look_at: entity.lookAt,
      })
    if (object !== null)
      Object.assign(row, {
        object_type: object.type,
        object_id: object.id,
        object_version: object.version,
        is_first: Number(object.isFirst),
        in_force: Number(object.inForce),
        digest: object.digest,
        text: object.text,
      })
    block.add(row as Row)
    if (supersedes > 0 && object !== null)
      block.add(
        Object.assign({}, EMPTY, {
          feed,
          added: supersedes,
          superseded: added,
          object_type: object.type,
          object_id: object.id,
        }),
      )
  }
}
