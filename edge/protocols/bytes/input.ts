import { Buffer } from 'node:buffer'

/**
 * Bytes that came and were not read yet. `data` is never changed between `start` and `end`: who holds it and an offset may
 * read on after more came, as what does not fit goes into a new one.
 */
export type Input = {
  data: Buffer
  start: number
  end: number
  /** Adds bytes, which are not copied where nothing waits before them. */
  push(bytes: Buffer): void
  /** To be called when a round ends: lets go of what was read, so that an idle connection keeps next to nothing. */
  settle(): void
  /** Forgets everything. */
  clear(): void
  /** Bytes of memory that are held. */
  held(): number
}

const NOTHING = Buffer.alloc(0)
const MIN_BYTES = 256
/** What waits is copied out of a piece that is this many times longer: a copy costs less than a piece was to receive. */
const SPARE = 4

/** An empty one. Its cost is linear in what is pushed, in pieces of any size. */
export function createInput(): Input {
  /** Whether the rest of `data` is ours to write: a piece that was pushed may be part of somebody else's memory. */
  let isOwn = false

  const moveTo = (bytes: number): void => {
    const grown = Buffer.allocUnsafeSlow(bytes)
    input.data.copy(grown, 0, input.start, input.end)
    input.end -= input.start
    input.start = 0
    input.data = grown
    isOwn = true
  }

  const input: Input = {
    data: NOTHING,
    start: 0,
    end: 0,
    push(bytes) {
      if (input.start === input.end) {
        input.data = bytes
        input.start = 0
        input.end = bytes.length
        isOwn = false
        return
      }
      if (!isOwn || input.data.length - input.end < bytes.length)
        moveTo(Math.max(MIN_BYTES, 2 * (input.end - input.start + bytes.length)))
      bytes.copy(input.data, input.end)
      input.end += bytes.length
    },
    settle() {
      const waits = input.end - input.start
      if (waits === 0) input.clear()
      // A pushed piece may be a slice of more than it shows.
      else if (input.data.buffer.byteLength > MIN_BYTES && input.data.buffer.byteLength > SPARE * waits)
        moveTo(Math.max(MIN_BYTES, waits))
    },
    clear() {
      input.data = NOTHING
      input.start = 0
      input.end = 0
      isOwn = false
    },
    held: () => input.data.buffer.byteLength,
  }
  return input
}
