import type { DemoLoad, DemoRecord, DemoState } from '../../../schemas/operation/demo-load.ts'

/** What is written down of the load, for every process alike. */
export interface DemoLoads {
  /** null: none was ever begun. */
  current(): Promise<DemoLoad | null>
  /** Writes it down; what the load is then, which may be that somebody else was faster. */
  append(record: DemoRecord): Promise<DemoLoad | null>
}

/** Loading the corpus in the background of a process that does something else. */
export interface DemoLoader {
  state(): Promise<DemoState>
  /** Begins, or goes on with what somebody left; resolves at once. `not empty`: the platform holds other reports. */
  start(): Promise<DemoState | 'not empty'>
}
