/** Sends a body of reports on one connection and reads its verdicts, for the benchmark of bulk. */

import { request } from 'node:http'

export type BulkRun = {
  accepted: number
  seconds: number
  /** Milliseconds to the first verdict. */
  firstMs: number
}

/** Reports of addresses, the same as those of single POSTs, all of them new: `round` tells bodies apart (0 to 99). */
export function bulkBody(lines: number, round: number): Buffer {
  const made: string[] = []
  for (let n = 0; n < lines; n++) {
    const ip = `13.${100 + round}.${(n >> 8) & 255}.${n & 255}`
    const attributes = { ip, country: 'United States', port: '53/udp', text: 'resolver seen in beacon traffic' }
    made.push(
      JSON.stringify({ type: 'ip', attributes, reputation: -2, tags: ['dns', 'beacon'], visibleBy: ['public'] }),
    )
  }
  return Buffer.from(`${made.join('\n')}\n`)
}

/** Resolves when the last line is there. Rejects when a line was refused. */
export function sendBulk(port: number, headers: Record<string, string>, body: Buffer): Promise<BulkRun> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/api/ingest/v1/entities',
        headers: { ...headers, 'content-type': 'application/x-ndjson', 'content-length': body.length },
      },
      (response) => {
        let firstMs = 0
        let tail = ''
        response.on('data', (piece: Buffer) => {
          firstMs ||= performance.now() - began
          tail = (tail + piece.subarray(-200).toString()).slice(-200)
        })
        response.on('end', () => {
          const counts = /\{"accepted":(\d+),"rejected":0\}\n$/.exec(tail)
          if (counts === null) return reject(new Error(`status ${response.statusCode}: ${tail}`))
          resolve({ accepted: Number(counts[1]), seconds: (performance.now() - began) / 1_000, firstMs })
        })
      },
    )
    sending.on('error', reject)
    sending.end(body)
  })
}
