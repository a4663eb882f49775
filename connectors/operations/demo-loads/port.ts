import type { DemoLoad, DemoRecord, DemoState } from '../../../schemas/operation/demo-load.ts'

/** The recorded state of the load, the same for every process. */
export interface DemoLoads {
  /** null: a load was never started. */
  current(): Promise<DemoLoad | null>
  /** Appends a record. Resolves to the state after it; another process may have been faster. */
  append(record: DemoRecord): Promise<DemoLoad | null>
}

/** Loads the demonstration corpus in the background of a running process. */
export interface DemoLoader {
  state(): Promise<DemoState>
  /** Starts the load, or continues one that was left unfinished; resolves at once. */
  start(): Promise<DemoState>
}
