/** What of an edge is asked at an address. */

/** Where a listener is. Port 0: any that is free. */
export type Place = { host: string; port: number }

export type Listener = {
  port: number
  /** Open ones; of a protocol without connections 0. */
  connections(): number
  /** Ends what is open. */
  close(): Promise<void>
}
