import { namedUuid } from '../log/ids.ts'

/** Ids of matches follow from what they stand for, so that what is told again is the same match (decisions 14.3). */

/** Of an event, one of its fields and an entity. */
export const forwardId = (owner: string, eventId: string, field: string, entityId: string): string =>
  namedUuid(`match\nforward\n${owner}\n${field}\n${entityId}\n${eventId}`)

/** Of a row of the ledger and an entity. */
export const retroId = (
  owner: string,
  row: { readonly value: string; readonly field: string; readonly hour: number },
  entityId: string,
): string => namedUuid(`match\nretro\n${owner}\n${row.field}\n${row.hour}\n${entityId}\n${row.value}`)

/** Of what would be more matches of an owner than are told one by one. `of`: the batch and the second that they came in. */
export const summaryId = (owner: string, of: string, field: string, entityId: string): string =>
  namedUuid(`match\nsummary\n${owner}\n${field}\n${entityId}\n${of}`)
