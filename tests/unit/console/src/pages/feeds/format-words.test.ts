import { expect, test } from 'vitest'
import { FORMAT_WORDS, labelOf, verifiedBy } from '../../../../../../console/src/pages/feeds/format-words.ts'
import { FORMATS } from '../../../../../../schemas/feeds-out/formats/format-table.ts'

test('every format has words, and no other', () => {
  expect(Object.keys(FORMAT_WORDS).sort()).toEqual(FORMATS.map(({ name }) => name).sort())
})

test('a format that no program of others reads is called unverified, with what that means', () => {
  expect(labelOf({ name: 'pf', readBy: null })).toBe('pf – a table of pf, pfSense and OPNsense (unverified)')
  expect(labelOf({ name: 'nft', readBy: 'nft' })).toBe('nft – nftables, nft -f')
  expect(labelOf({ name: 'new', readBy: 'x' })).toBe('new – new')
  expect(verifiedBy({ readBy: null })).toMatch(/^Unverified: .+ Try it on your device first\.$/)
  expect(verifiedBy({ readBy: 'pyarrow' })).toBe('The tests of Harrier read this format with pyarrow.')
})
