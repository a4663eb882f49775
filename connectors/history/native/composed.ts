import { reserve, type Sink, sink } from './sink.ts'
import { type ColumnType, string, type Writer } from './types.ts'

/** Running totals of the lengths, as arrays and maps begin with. */
const offsets = () => {
  const to = sink()
  let total = 0
  return {
    to,
    add(length: number): void {
      total += length
      reserve(to, 8)
      to.view.setUint32(to.at, total, true)
      to.view.setUint32(to.at + 4, 0, true)
      to.at += 8
    },
    clear(): void {
      to.at = 0
      total = 0
    },
  }
}

/** One field of every item of a list, as the columns of a Nested are written. */
export const each = <Item, T>(of: ColumnType<T>, pick: (item: Item) => T): ColumnType<readonly Item[]> => ({
  name: `Array(${of.name})`,
  writer(): Writer<readonly Item[]> {
    const ends = offsets()
    const values = of.writer()
    return {
      add(list) {
        // By index: a loop over the items makes an object for each where it meets lists of many kinds.
        for (let i = 0; i < list.length; i++) values.add(pick(list[i]!))
        ends.add(list.length)
      },
      sinks: (): Sink[] => [ends.to, ...values.sinks()],
      clear() {
        ends.clear()
        values.clear()
      },
    }
  },
})

export const array = <T>(of: ColumnType<T>): ColumnType<readonly T[]> => each(of, (item: T) => item)

/** @param empty what is written in the place of a null; any value of the type */
export const nullable = <T>(of: ColumnType<T>, empty: T): ColumnType<T | null> => ({
  name: `Nullable(${of.name})`,
  writer() {
    const nulls = sink()
    const values = of.writer()
    return {
      add(value) {
        values.add(value ?? empty)
        reserve(nulls, 1)
        nulls.bytes[nulls.at++] = value === null ? 1 : 0
      },
      sinks: () => [nulls, ...values.sinks()],
      clear() {
        nulls.at = 0
        values.clear()
      },
    }
  },
})

/** Own keys of an object, in their order. */
export const map = <V>(values: ColumnType<V>): ColumnType<Readonly<Record<string, V>>> => ({
  name: `Map(String, ${values.name})`,
  writer() {
    const ends = offsets()
    const keys = string.writer()
    const vals = values.writer()
    return {
      add(record) {
        const names = Object.keys(record)
        for (const name of names) {
          keys.add(name)
          vals.add(record[name]!)
        }
        ends.add(names.length)
      },
      sinks: () => [ends.to, ...keys.sinks(), ...vals.sinks()],
      clear() {
        ends.clear()
        keys.clear()
        vals.clear()
      },
    }
  },
})
