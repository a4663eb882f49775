/** Blocks for `History.insert`: declare the columns of a table once, add rows, finish a block (ADR 265). */
export { array, each, map, nullable } from './composed.ts'
export { table } from './native-table.ts'
export {
  type ColumnType,
  dateTime,
  dateTime64,
  digest,
  digestKey,
  float64,
  int8,
  int64,
  string,
  uint8,
  uint16,
  uint32,
  uint64,
  uuid,
} from './types.ts'
