import type { LogMessage } from '../../connectors/log/port.ts'

/** Longer records are rare, and their rows no longer than they are. */
const MAX_RECORD = 1024
const CHUNK = 8 * 1024 * 1024
/** All of them at once; one more is not taken. */
const MAX_BYTES = 1024 ** 3
/** Offset f64 | timestamp f64 | length of the key u32 | length of the value u32 | key | value. */
const HEADER = 24
/** Positions are counted in these, so that 32 bits hold them. */
const UNIT = 8

/**
 * Records that wait for the next one of their place, one at most for each place, as the bytes that they are: most
 * entities that occur again do so once, and rows of a million entities, which the garbage collection walks through again
 * and again, cost more than all else that is done with them.
 * @param places numbers of places are below
 */
export function waitingRecords(places: number, maxBytes = MAX_BYTES) {
  const heads = new Uint32Array(places)
  const chunks: Buffer[] = []
  let end = CHUNK

  /** The record that waits there, which does so no longer; its headers are not kept. Null when there is none. */
  function take(place: number): LogMessage | null {
    const head = heads[place]!
    if (head === 0) return null
    heads[place] = 0
    const position = (head - 1) * UNIT
    const chunk = chunks[Math.floor(position / CHUNK)]!
    const at = position % CHUNK
    const keyEnd = at + HEADER + chunk.readUInt32LE(at + 16)
    return {
      offset: chunk.readDoubleLE(at),
      timestamp: chunk.readDoubleLE(at + 8),
      key: chunk.subarray(at + HEADER, keyEnd),
      value: chunk.subarray(keyEnd, keyEnd + chunk.readUInt32LE(at + 20)),
      headers: {},
    }
  }

  return {
    /** @returns false when the record cannot wait here: then nothing was done */
    put(place: number, { offset, timestamp, key, value }: LogMessage): boolean {
      if (key === null || value === null) return false
      const size = HEADER + key.length + value.length
      if (size > MAX_RECORD) return false
      if (end + size > CHUNK) {
        if ((chunks.length + 1) * CHUNK > maxBytes) return false
        chunks.push(Buffer.allocUnsafeSlow(CHUNK))
        end = 0
      }
      const chunk = chunks.at(-1)!
      heads[place] = ((chunks.length - 1) * CHUNK + end) / UNIT + 1
      chunk.writeDoubleLE(offset, end)
      chunk.writeDoubleLE(timestamp, end + 8)
      chunk.writeUInt32LE(key.length, end + 16)
      chunk.writeUInt32LE(value.length, end + 20)
      key.copy(chunk, end + HEADER)
      value.copy(chunk, end + HEADER + key.length)
      end = Math.ceil((end + size) / UNIT) * UNIT
      return true
    },
    take,
    /** Takes whatever still waits. */
    *rest(): Generator<LogMessage> {
      for (let place = 0; place < places; place++) {
        const message = take(place)
        if (message !== null) yield message
      }
    },
  }
}
