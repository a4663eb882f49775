/** The id of a record of `entity.observations`, without reading the rest of it. */

/** Bytes before the first field: those of the wire format, then the length of a text of 36 bytes. */
const HEADER = 5
const LENGTH_OF_UUID = 36 << 1
const ID_AT = HEADER + 1
const ID_ENDS = ID_AT + 36

/** The first field of every version of the schema is the id. null: the bytes are no such record. */
export const observationIdOf = (value: Buffer | null): string | null =>
  value !== null && value.length > ID_ENDS && value[0] === 0 && value[HEADER] === LENGTH_OF_UUID
    ? value.toString('latin1', ID_AT, ID_ENDS)
    : null
