import { expect, test } from 'vitest'
import { collect, summary } from '../../../../../../builders/feeds/collect-feed.ts'

const read = async (...lines: string[]) => summary(await collect(lines.join('\n'), { format: 'abp' }))

test('rules that block a whole name give the name', async () => {
  expect(
    await read(
      '[Adblock Plus 2.0]',
      '! Title: made up',
      '###### a comment ######',
      '||a.example.com^',
      '||b.example.com^$third-party,important',
      '||*.c.example.com^',
      '*.d.example.com',
      '.e.example.com',
      'f.example.com',
      '0.0.0.0 g.example.com',
      '||203.0.113.9^',
      '||a.example.com^$popup',
    ),
  ).toEqual([
    ...['4: hostname a.example.com', '5: hostname b.example.com', '6: hostname c.example.com'],
    ...['7: hostname d.example.com', '8: hostname e.example.com', '9: hostname f.example.com'],
    ...['10: hostname g.example.com', '11: ip 203.0.113.9'],
  ])
})

test('exceptions, narrowed rules and patterns are refused by name', async () => {
  expect(
    await read(
      '@@||good.example.com^',
      '||a.example.com^$denyallow=b.example.com',
      '||a.example.com/ads^',
      '||a*.example.com^',
      '|https://a.example.com/x|',
      '/ads[0-9]/',
      'a.example.com##.banner',
      '##.banner',
      '#note',
      'a.example.com b.example.com',
    ),
  ).toEqual([
    '1: an exception: it names what is not blocked',
    '2: the modifier "denyallow=b.example.com" is not read',
    '3: a pattern of URLs, not a name',
    '4: "a*.example.com" is not a domain name',
    '5: a pattern of URLs, not a name',
    '6: a pattern of URLs, not a name',
    '7: a rule for parts of pages, not for a name',
    '8: a rule for parts of pages, not for a name',
    '10: "a.example.com b.example.com" is not a domain name',
  ])
})
