import { pushMark } from '../../../../schemas/match/mark.ts'

/** The marks of values as the history store gives them. */
export function markBytes(values: readonly string[]): Buffer {
  const halves: number[] = []
  for (const value of values) pushMark(halves, value)
  const bytes = Buffer.alloc(halves.length * 4)
  for (let n = 0; n < halves.length; n += 2) {
    bytes.writeUInt32LE(halves[n + 1]!, n * 4)
    bytes.writeUInt32LE(halves[n]!, n * 4 + 4)
  }
  return bytes
}
