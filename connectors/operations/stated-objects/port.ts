import type { StatedObject, TakenBack } from '../../../schemas/intelligence/observations/stated-object.ts'

/** A record and its place in the topic. */
export type ObjectEntry = { offset: number } & ({ object: StatedObject } | { taken: TakenBack })

/** What objects of producers claim, on a compacted topic of one partition: every process reads the same. */
export interface StatedObjects {
  /**
   * The latest of those of a source, by `rememberedId`, without what was taken back. Reads all of the topic and holds what is asked for.
   * @throws RangeError for more ids than `MAX_ASKED`
   */
  find(source: string, ids: ReadonlySet<string>): Promise<Map<string, StatedObject>>
  /** Durable once it resolves. */
  put(objects: readonly StatedObject[]): Promise<void>
  tookBack(taken: readonly TakenBack[]): Promise<void>
  /** Everything that is there now, in the order of the log; resolves to the offset after it. */
  read(visit: (entry: ObjectEntry) => void, signal?: AbortSignal): Promise<number>
  /** The offset after the last record. */
  end(): Promise<number>
}

/** Objects that are looked up at once. */
export const MAX_ASKED = 1_000_000
