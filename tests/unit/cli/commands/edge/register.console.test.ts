import { expect, test } from 'vitest'
import { harrier } from '../../../../../cli/program.ts'
import { edgeBlocks } from '../../../../../console/src/pages/feeds/products/edge.ts'

const FEED = '0199d3a4-5b6c-7d8e-9f00-112233445566'

test('the line of the console is taken by the command, and its token is shown once', async () => {
  const [token, line] = edgeBlocks('https://harrier.example', FEED, 'hft_abc')
  expect(token!.text).toBe('hft_abc')
  expect(edgeBlocks('https://harrier.example', FEED, null)).toEqual([line])
  const [url, program, ...words] = line!.text.split(/[\\\s]+/)
  expect([url, program]).toEqual(['HARRIER_URL=https://harrier.example', 'harrier'])
  const { stdin, stdout, stderr } = process
  const all = await harrier({ env: {}, stdin, stdout, stderr, signal: new AbortController().signal })
  let given: { feed?: string; listen?: { protocol: string }[] } = {}
  all.commands
    .find((command) => command.name() === 'edge')!
    .action((flags) => {
      given = flags
    })
  await all.parseAsync(words, { from: 'user' })
  expect(given.feed).toBe(FEED)
  expect(given.listen!.map(({ protocol }) => protocol)).toEqual(['http', 'redis', 'memcached', 'dns'])
})
