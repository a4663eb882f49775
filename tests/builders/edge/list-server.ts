import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ListServer = {
  url: URL
  /** Requests that came, oldest first. */
  asked: { url: string; headers: IncomingMessage['headers'] }[]
  /** Answers from now on. */
  answer(how: (res: ServerResponse, req: IncomingMessage) => void): void
  /** Connections that are open. */
  open(): Promise<number>
  close(): Promise<void>
}

/** A server that answers as a platform does, or as none does. */
export async function listServer(): Promise<ListServer> {
  let how: (res: ServerResponse, req: IncomingMessage) => void = (res) => res.writeHead(404).end()
  const asked: ListServer['asked'] = []
  const server = createServer((req, res) => {
    asked.push({ url: req.url!, headers: req.headers })
    how(res, req)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    asked,
    answer(next) {
      asked.length = 0
      how = next
    },
    open: () => new Promise((resolve, reject) => server.getConnections((e, n) => (e ? reject(e) : resolve(n)))),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
