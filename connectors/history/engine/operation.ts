/** One operation of the engine: private settings, bound parameters, one statement. */
export type Operation = {
  sql: string
  /** For results without a FORMAT clause. */
  format: string
  database: string
  settings: Record<string, string>
  /** As they arrive over HTTP: text in the escapes of TabSeparated. The engine parses them into their types. */
  params: Record<string, string>
  /** Each kind has slots of its own, so that reads never wait behind inserts, and the platform never behind people. */
  lane: 'read' | 'insert' | 'analyst'
  /** Rows of an INSERT: a file of the inbox, and the format they are in. */
  data?: { path: string; format: string }
  /** Of a SQL user: one SELECT with the rights of the role for them, which writes nothing and changes no setting. */
  confined?: boolean
  /** Of a confined one: it is not run but explained, by this beginning of a statement. Fixed words and digits only. */
  explain?: string
  /** Throws when it is not to be run; `read` is what the engine understood, printed by the engine. */
  check?: (read: string) => void
}
