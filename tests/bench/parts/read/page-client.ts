/** Asks a TAXII server for pages on one connection, and keeps none of their bytes: their memory would cost more than they do. */

import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'

/** Each object of STIX has it once. */
const MEMBER = Buffer.from('"spec_version"')

export type Page = {
  objects: number
  /** `X-TAXII-Date-Added-Last`; null: none. */
  last: string | null
  /** Milliseconds until the last byte was there. */
  took: number
}

function membersIn(bytes: Buffer): number {
  let members = 0
  for (let at = bytes.indexOf(MEMBER); at >= 0; at = bytes.indexOf(MEMBER, at + 1)) members++
  return members
}

/** @throws Error for any status but 200 */
export function pageClient(headers: Readonly<Record<string, string>>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  async function page(url: string): Promise<Page> {
    const began = performance.now()
    const asked = get(url, { agent, headers: { ...headers, accept: 'application/taxii+json;version=2.1' } })
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    let [objects, rest] = [0, Buffer.alloc(0)]
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      // A member that is cut in two is whole here.
      const seam = Buffer.concat([rest, chunk.subarray(0, MEMBER.length - 1)])
      objects += membersIn(seam) + membersIn(chunk)
      rest = Buffer.from((chunk.length < MEMBER.length ? seam : chunk).subarray(1 - MEMBER.length))
    }
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`)
    const last = answer.headers['x-taxii-date-added-last']
    return { objects, last: typeof last === 'string' ? last : null, took: performance.now() - began }
  }

  return { page, close: () => agent.destroy() }
}
