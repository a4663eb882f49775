import type { FeedFacts, FeedFormat } from '../../../schemas/feeds-out/formats/format.ts'
import { written } from '../../../schemas/feeds-out/formats/written.ts'
import { itemsIn } from '../../history/feeds-out/list-rows.ts'
import { type Written, writeFile } from '../pack.ts'
import type { GenerationBytes } from '../port.ts'
import { inStep, LeftBehind } from './in-step.ts'

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
