import { describe, expect, test } from 'vitest'
import { idIn, withName } from '../../../../../../console/src/parts/format/ids.ts'

const ID = '7f1c2f5e-9a0b-4c57-8a55-3d1f0c2b6e11'
const NAMES = new Map([[ID, 'Acme $& Sons']])

describe('names in place of ids', () => {
  test.each([ID, ID.toUpperCase(), `customer:${ID}`, `customer-${ID}`, `user:${ID} in observe`])(
    'the id of %s is found and named',
    (text) => {
      expect(idIn(text)).toBe(ID)
      expect(withName(text, NAMES)).toBe(text.replace(/7f1c\S{32}/i, () => 'Acme $& Sons'))
    },
  )

  test.each(['feed:abuse.ch', 'ip-00ff', '', 'key.make'])('%j has none and stays', (text) => {
    expect([idIn(text), withName(text, NAMES)]).toEqual([null, text])
  })

  test('an unknown id stays', () => {
    expect(withName(ID, new Map())).toBe(ID)
  })
})
