import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { fetchBlocks } from '../../../../../../../console/src/pages/feeds/products/fetch-script.ts'
import { misfit } from '../../../../../../../console/src/pages/feeds/products/fit.ts'
import { PRODUCTS } from '../../../../../../../console/src/pages/feeds/products/products.ts'
import { isLoopback } from '../../../../../../../console/src/parts/copy/loopback.ts'
import { formatNamed } from '../../../../../../../schemas/feeds-out/formats/format-table.ts'

const URL = 'https://harrier.example/api/feeds/v1/t/hft_abc/items.x'

test.each(PRODUCTS)('$name reads a format that there is, from the address of the list', ({ format, about, blocks }) => {
  expect(formatNamed(format)).not.toBeNull()
  expect(about).toMatch(/\.$/)
  const all = blocks(URL)
  expect(all.filter(({ text }) => text.includes(URL))).toHaveLength(1)
  for (const { where, text } of all) {
    expect(where).toMatch(/\.$/)
    expect(text).not.toMatch(/^\s|\s$/)
  }
})

test.each(PRODUCTS.filter(({ blocks }) => blocks(URL).some(({ kind }) => kind === 'shell')))(
  '$name: the shell takes its script, and cron has one line for it',
  ({ blocks }) => {
    const text = (kind: string) => blocks(URL).find((block) => block.kind === kind)!.text
    execFileSync('bash', ['-n'], { input: text('shell') })
    execFileSync('sh', ['-n'], { input: text('shell') })
    // A percent sign ends the command of a line of cron.
    expect(text('crontab')).toMatch(/^(\S+ ){5}root \/usr\/local\/bin\/harrier-[a-z]+$/)
  },
)

test('a format that does not carry what a feed lists is said', () => {
  expect(misfit('any', ['ip'])).toBeNull()
  expect(misfit(['ip', 'cidr'], ['ip'])).toBeNull()
  expect(misfit(['ip', 'cidr'], ['ip', 'url'])).toBe('This format does not carry url: these are left out.')
  expect(misfit(['ip', 'cidr'], ['url'])).toContain('The file would be empty.')
  expect(misfit(['ip', 'cidr'], undefined)).toContain('only ip, cidr')
})

test('an address of the machine of the browser is known as such', () => {
  expect(['localhost', '127.0.0.1', '[::1]', 'a.localhost'].map(isLoopback)).toEqual([true, true, true, true])
  expect(['harrier.example', '10.0.0.1', '128.0.0.1', 'localhost.example'].map(isLoopback)).toEqual(
    Array(4).fill(false),
  )
})

test('the script of a list takes a new one, leaves the file alone when nothing changed, and takes one that became empty', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-script-'))
  const list = join(folder, 'list')
  const ran = join(folder, 'ran')
  let body = 'one\n'
  let status = 200
  const server = createServer((request, response) => {
    const etag = `"${body.length}"`
    const same = request.headers['if-none-match'] === etag
    response.writeHead(status === 200 && same ? 304 : status, { etag })
    response.end(same ? '' : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const fetched = { name: 'harrier-test', file: list, reload: `echo again >> ${ran}` }
    const [script] = fetchBlocks(`http://127.0.0.1:${port}/list`, fetched)
    const run = () => promisify(execFile)('sh', ['-c', script.text])
    const seen = () => [readFileSync(list, 'utf8'), readFileSync(ran, 'utf8').length / 'again\n'.length]
    await run()
    expect(seen()).toEqual(['one\n', 1])
    await run()
    expect(seen()).toEqual(['one\n', 1])
    status = 503
    body = 'sorry, no list\n'
    await expect(run()).rejects.toMatchObject({ stderr: expect.stringContaining('503') })
    expect(seen()).toEqual(['one\n', 1])
    status = 200
    body = ''
    await run()
    expect(seen()).toEqual(['', 2])
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
