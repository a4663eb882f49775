import { allowing } from '../../../edge/listeners/allowed.ts'
import { listenTcp } from '../../../edge/listeners/tcp.ts'
import type { Session } from '../../../edge/protocols/session.ts'

/** A port of a protocol, as clients see it. */
export type Served = {
  port: number
  /** Connections since the start. */
  connections(): number
  close(): Promise<void>
}

/** Gives every connection to a free port of this machine a session of its own. */
export async function served(open: () => Session): Promise<Served> {
  let connections = 0
  const session = (): Session => {
    connections++
    return open()
  }
  const { port, close } = await listenTcp({ host: '127.0.0.1', port: 0 }, session, allowing(null))
  return { port, close, connections: () => connections }
}
