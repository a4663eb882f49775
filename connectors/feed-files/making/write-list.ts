import type { FeedFacts, FeedFormat } from '../../../schemas/feeds-out/formats/format.ts'
import { written } from '../../../schemas/feeds-out/formats/written-formats.ts'
import { itemsIn } from '../../history/feeds-out/list-rows.ts'
import { type Written, writeFile } from '../pack.ts'
import type { GenerationBytes } from '../port.ts'

/** Another reader of the same source did not read on. */
export class LeftBehind extends Error {
  constructor() {
    super('another reader of the list ended before its end')
  }
}

type InStep<Value> = {
  readers: AsyncIterable<Value>[]
  /** Ends all readers with `LeftBehind`, and lets the source go: for a reader that will not read on, or never began. */
  leave(): void
}

/**
 * Several readers of one source, in step: the next value is asked for once all of them have taken the last one, so none
 * is kept. What the source throws, each of them throws; when one ends early, the others are left behind.
 */
export function inStep<Value>(source: AsyncIterable<Value>, count: number): InStep<Value> {
  const values = source[Symbol.asyncIterator]()
  let asked = 0
  let step = newStep<Value>()
  let isOver = false

  const next = async (): Promise<IteratorResult<Value>> => {
    if (isOver) throw new LeftBehind()
    const { promise, resolve, reject } = step
    asked++
    if (asked === count) {
      asked = 0
      step = newStep()
      values.next().then(resolve, reject)
    }
    return promise
  }

  const leave = (): void => {
    if (isOver) return
    isOver = true
    step.reject(new LeftBehind())
    // Not waited for: a source that hangs must not keep the reader from telling why it left.
    values.return?.().catch(() => undefined)
  }

  async function* reader(): AsyncGenerator<Value> {
    try {
      for (;;) {
        const { done, value } = await next()
        if (done) return
        yield value
      }
    } catch (error) {
      isOver = true
      throw error
    } finally {
      leave()
    }
  }

  return { readers: Array.from({ length: count }, reader), leave }
}

function newStep<Value>(): PromiseWithResolvers<IteratorResult<Value>> {
  const step = Promise.withResolvers<IteratorResult<Value>>()
  // Its readers may be gone.
  step.promise.catch(() => undefined)
  return step
}

/** What is said of a list and how many items it has. */
export type ListFacts = { facts: FeedFacts; items: number }

export type ListFile = { format: FeedFormat; path: string }

export type WrittenList = Written & { skipped: number }

/**
 * Writes a list into a file for each format, from one reading of its rows.
 * @throws what the reading, a format or the disk throws; files that are half written stay
 */
export async function writeList(
  { facts, items }: ListFacts,
  rows: AsyncIterable<Uint8Array>,
  files: readonly ListFile[],
): Promise<WrittenList[]> {
  const { readers, leave } = inStep(itemsIn(rows, items), files.length)
  const results = await Promise.allSettled(
    files.map(async ({ format, path }, at) => {
      try {
        return await writeBytes(path, written(format, facts, readers[at]!))
      } catch (error) {
        // A file that could not be opened has not begun to read.
        leave()
        throw error
      }
    }),
  )
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  if (failures.length > 0) throw failures.find((reason) => !(reason instanceof LeftBehind)) ?? failures[0]
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

/** Writes the bytes of a list as they come. */
export async function writeBytes(path: string, bytes: GenerationBytes): Promise<WrittenList> {
  let skipped = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    ;({ skipped } = yield* bytes)
  }
  const file = await writeFile(path, counted())
  return { ...file, skipped }
}
