/** OpenSearch over HTTP, as far as a measurement needs it. */

import { useOf } from '../processes.ts'

export type OpenSearch = {
  version: string
  ask<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object | string): Promise<T>
  /** CPU-seconds of the node so far. It runs on this machine: what it says of itself is a second old. */
  cpuSeconds(): Promise<number>
}

type Nodes = { nodes: Record<string, { process: { id: number } }> }

/** @throws Error with the answer, of any status but 200 and 201 */
export async function openSearch(url: string): Promise<OpenSearch> {
  const ask: OpenSearch['ask'] = async (method, path, body) => {
    const lines = typeof body === 'string'
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': lines ? 'application/x-ndjson' : 'application/json' },
      ...(body !== undefined && { body: lines ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`OpenSearch: ${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
    return JSON.parse(text)
  }
  const { version } = await ask<{ version: { number: string } }>('GET', '/')
  const { nodes } = await ask<Nodes>('GET', '/_nodes/_local/process')
  const pids = Object.values(nodes).map((node) => node.process.id)
  return {
    version: version.number,
    ask,
    cpuSeconds: async () => pids.flatMap(useOf).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
  }
}
