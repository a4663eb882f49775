import type { ObservationStore } from '../port.ts'

/** The tables that everybody reads and writes now (ADR 132). */
export type Generation = {
  /** Their database. */
  database: string
  /** Jobs begin no batch: whoever holds is about to name another one. */
  locked: boolean
  /** The scoring rules in force, as JSON; empty: the built-in ones. */
  rules: string
  /**
   * By partition of the observations, the offset below which every record was applied when it became the live one: by
   * rules that may have been others. Nobody applies them again.
   */
  applied: readonly number[]
  /** How these rules came into force, as long as it may have to be told; null: it never was (ADR 271). */
  rescored: RescoredFrom | null
}

/** The rules of before, as JSON, and by partition of the observations the first offset for which the present ones hold. */
export type RescoredFrom = { before: string; since: readonly number[] }

/** What of a generation lies in the store. */
export type StoredGeneration = { database: string; live: boolean; tables: number; rows: number; bytes: number }

/** The right to name the next generation; nobody else has it meanwhile, and it is renewed until it is given back. */
export interface JobLock {
  /** Aborted when the hold was lost: whatever is done under it must not go on. */
  lost: AbortSignal
  /**
   * Names the live one and gives the hold back, in one step. `rescored`: left out: as before.
   * @throws Error when the hold was lost: nothing is changed
   */
  promote(next: Pick<Generation, 'database' | 'rules' | 'applied'> & { rescored?: RescoredFrom }): Promise<void>
  /** Gives it back; everything is as before. */
  release(): Promise<void>
}

/** Which tables are the live ones, and those that may become it. */
export interface Generations {
  current(signal?: AbortSignal): Promise<Generation>
  /** @throws Error while somebody else holds */
  lock(note: string): Promise<JobLock>
  /** Makes the tables of another generation, empty. */
  shadow(): Promise<string>
  list(): Promise<StoredGeneration[]>
  /** Removes its tables. @throws Error for the live one, and for what is no generation */
  drop(database: string): Promise<void>
}

/** The store of one generation, and the rules that hold for what is written to it. */
export type LiveStore = Omit<Generation, 'locked'> & { store: ObservationStore }
