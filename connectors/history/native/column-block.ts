import type { Block } from '../port.ts'
import { reserve, type Sink, sink, writeString, writeVarint } from './sink.ts'

/** Texts in UTF-8 by their numbers: text n is what `bytes` has from `bounds[n * step]` up to the bound after that. */
type Texts = { bytes: Uint8Array; bounds: Uint32Array; step: number }
type Numbers = Uint32Array | Float64Array

const WORD = 0x1_0000_0000

/** A text with its length, byte by byte, as most are short. */
function putText(to: Sink, { bytes, bounds, step }: Texts, number: number): void {
  const place = number * step
  const [from, end] = [bounds[place]!, bounds[place + 1]!]
  writeVarint(to, end - from)
  reserve(to, end - from)
  const into = to.bytes
  let { at } = to
  for (let n = from; n < end; n++) into[at++] = bytes[n]!
  to.at = at
}

/**
 * A block in the Native format that is made column by column, of what lies in columns already: no row is an object, and
 * texts are copied as they are. Columns may be longer than there are rows.
 * https://clickhouse.com/docs/interfaces/formats/Native
 */
export function columnBlock() {
  const to = sink(1 << 16)
  let rows = 0

  function head(name: string, type: string, bytesEach: number): void {
    writeString(to, name)
    writeString(to, type)
    reserve(to, rows * bytesEach)
  }

  return {
    begin(columns: number, count: number): void {
      to.at = 0
      rows = count
      writeVarint(to, columns)
      writeVarint(to, count)
    },
    /** Of each row the text of its number. */
    texts(name: string, texts: Texts, numberOf: Uint32Array): void {
      head(name, 'String', 2)
      for (let row = 0; row < rows; row++) putText(to, texts, numberOf[row]!)
    },
    /** Of each row the texts that end at `ends`, and begin where those of the row before do. */
    textLists(name: string, { ends, numbers, texts }: { ends: Uint32Array; numbers: Uint32Array; texts: Texts }): void {
      head(name, 'Array(String)', 8)
      for (let row = 0; row < rows; row++) {
        to.view.setUint32(to.at, ends[row]!, true)
        to.view.setUint32(to.at + 4, 0, true)
        to.at += 8
      }
      const count = rows === 0 ? 0 : ends[rows - 1]!
      for (let n = 0; n < count; n++) putText(to, texts, numbers[n]!)
    },
    /** Bytes of each row, one after another. */
    fixed(name: string, bytes: Uint8Array, bytesEach: number): void {
      head(name, `FixedString(${bytesEach})`, bytesEach)
      to.bytes.set(bytes.subarray(0, rows * bytesEach), to.at)
      to.at += rows * bytesEach
    },
    /** Whole numbers from 0 up to 2^53. */
    uint64(name: string, type: 'UInt64' | "DateTime64(3, 'UTC')", numbers: Numbers): void {
      head(name, type, 8)
      for (let row = 0; row < rows; row++) {
        const value = numbers[row]!
        to.view.setUint32(to.at, value % WORD, true)
        to.view.setUint32(to.at + 4, value / WORD, true)
        to.at += 8
      }
    },
    /** The same number for all rows. */
    sameUint64(name: string, value: bigint): void {
      head(name, 'UInt64', 8)
      for (let row = 0; row < rows; row++) {
        to.view.setBigUint64(to.at, value, true)
        to.at += 8
      }
    },
    /** @param msOf unix milliseconds of a row, kept in whole seconds */
    dateTimes(name: string, msOf: (row: number) => number): void {
      head(name, "DateTime('UTC')", 4)
      for (let row = 0; row < rows; row++) {
        to.view.setUint32(to.at, Math.floor(msOf(row) / 1000), true)
        to.at += 4
      }
    },
    /** The block; its memory is used again by the next one. */
    finish: (): Block => ({ rows, bytes: to.bytes.subarray(0, to.at) }),
  }
}

export type ColumnBlock = ReturnType<typeof columnBlock>
