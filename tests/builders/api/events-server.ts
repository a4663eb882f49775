import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Reply = { status?: number; headers?: Record<string, string>; body?: string; broken?: true }

export type EventsServer = {
  url: string
  /** Lines of the requests that were answered whole, in their order. */
  taken: string[]
  requests: { headers: IncomingMessage['headers']; method: string; path: string; lines: number }[]
  close(): Promise<void>
}

/**
 * A server that takes events as the platform does.
 * @param reply another answer to the n-th request, from 0
 * @param refuses why a line is refused
 */
export async function eventsServer(
  reply: (request: number) => Reply | undefined = () => undefined,
  refuses: (line: string) => { code: string; message: string; param?: string } | undefined = () => undefined,
): Promise<EventsServer> {
  const taken: string[] = []
  const requests: EventsServer['requests'] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\n')
    const given = reply(requests.length)
    requests.push({ headers: request.headers, method: request.method!, path: request.url!, lines: lines.length })
    if (given?.broken) return void request.socket.destroy()
    if (given === undefined) taken.push(...lines)
    const body = lines.map((line, at) => JSON.stringify({ line: at + 1, ...answerTo(refuses(line), at) })).join('\n')
    response.writeHead(given?.status ?? 202, given?.headers)
    response.end(given?.body ?? (given?.status === undefined ? `${body}\n` : ''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const answerTo = (error: object | undefined, at: number): object =>
  error === undefined ? { id: `id-${at}` } : { error }
