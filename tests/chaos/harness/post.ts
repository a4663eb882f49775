import { Agent, request } from 'node:http'

/** What a client saw of one request, when no answer came: whether it can have been accepted at all. */
export type NoAnswer =
  /** Nobody listened. */
  | 'refused'
  /** A connection that had rested was closed by the server as the request left; clients send it again. */
  | 'idle'
  /** The connection, or the patience of the client, ended after the request had gone out. */
  | 'unanswered'

export type Answer = { status: number; body: string; errorId: string | undefined } | { lost: NoAnswer }

/**
 * Of all commands together: as many clients as a load has, and then some. Connections take turns, so that none rests for as
 * long as the server keeps one that rests.
 */
const agent = new Agent({ keepAlive: true, maxSockets: 256, scheduling: 'fifo' })

/** One request over connections that are kept; never rejects. No body: a GET. */
export function post(
  url: string,
  { body, headers, patienceMs }: { body?: object; headers: Record<string, string>; patienceMs: number },
): Promise<Answer> {
  return new Promise((resolve) => {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const type = sent === undefined ? {} : { 'content-type': 'application/json' }
    const asked = request(
      url,
      { agent, method: sent === undefined ? 'GET' : 'POST', headers: { ...type, ...headers } },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.once('end', () => {
          const id = response.headers['x-error-id']
          resolve({ status: response.statusCode!, body: text, errorId: typeof id === 'string' ? id : undefined })
        })
        response.once('error', () => resolve({ lost: 'unanswered' }))
      },
    )
    const late = setTimeout(() => asked.destroy(new Error('the client lost its patience')), patienceMs)
    asked.once('close', () => clearTimeout(late))
    asked.once('error', (error: NodeJS.ErrnoException) => {
      const broken = error.code === 'ECONNRESET' || error.code === 'EPIPE'
      if (error.code === 'ECONNREFUSED') resolve({ lost: 'refused' })
      else resolve({ lost: broken && asked.reusedSocket ? 'idle' : 'unanswered' })
    })
    asked.end(sent)
  })
}
