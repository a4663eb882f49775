import type { AnalystOptions } from './analyst/ask.ts'
import type { Account } from './http/request.ts'
import type { EngineLimits } from './http/server.ts'
import type { Lanes } from './sessions.ts'

/** First message to the engine; the only other one is the word `stop`. */
export type ToEngine = {
  dataDir: string
  /** 0 lets the system choose. */
  port: number
  /** Another port, chosen by the system, when another process listens on that one. */
  orAnother: boolean
  account: Account
  lanes: Lanes
  limits: EngineLimits
  /** Absent: only the platform's account may query. */
  analysts?: AnalystOptions
  /** Of the whole engine. */
  memoryBytes: number
}

export type FromEngine = { kind: 'ready'; port: number } | { kind: 'refused'; reason: string }
