/** What histories are made of, and which values meet which entities: told by hand, not by the rules of the product. */

import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import type { FieldName } from '../../../../schemas/match/event.ts'

const MD5 = 'd41d8cd98f00b204e9800998ecf8427e'
const URL_OF_NAME = 'http://www.evil.example/x'
const URL_OF_ADDRESS = 'http://203.0.113.7/y'

export const ENTITIES = (
  [
    ['domain', 'evil.example'],
    ['domain', 'www.evil.example'],
    ['ip', '203.0.113.7'],
    ['cidr', '203.0.113.0/24'],
    ['cidr', '203.0.112.0/20'],
    ['url', URL_OF_NAME],
    ['md5', MD5],
  ] as const
).map(([type, value]) => ({ type, value, id: entityId(type, value) }))

export const VALUES: readonly (readonly [FieldName, readonly string[]])[] = [
  ['query', ['evil.example']],
  ['sni', ['a.www.evil.example']],
  ['query', ['a.www.evil.example']],
  ['query', ['other.example']],
  ['dst', ['203.0.113.7']],
  ['src', ['203.0.120.1']],
  ['answers', ['203.0.113.7', '203.0.113.9']],
  ['answers', ['203.0.113.9', 'evil.example']],
  ['url', [URL_OF_NAME]],
  ['url', [URL_OF_ADDRESS]],
  ['md5', [MD5]],
]

/** By value: the entities that it meets. */
const MEETS: Readonly<Record<string, readonly string[]>> = {
  'evil.example': ['evil.example'],
  'a.www.evil.example': ['evil.example', 'www.evil.example'],
  'other.example': [],
  '203.0.113.7': ['203.0.113.7', '203.0.113.0/24', '203.0.112.0/20'],
  '203.0.113.9': ['203.0.113.0/24', '203.0.112.0/20'],
  '203.0.120.1': ['203.0.112.0/20'],
  [URL_OF_NAME]: [URL_OF_NAME, 'evil.example', 'www.evil.example'],
  [URL_OF_ADDRESS]: ['203.0.113.7', '203.0.113.0/24', '203.0.112.0/20'],
  [MD5]: [MD5],
}

export const meets = (value: string, entity: { value: string }): boolean => MEETS[value]!.includes(entity.value)

export const OWNERS = ['1', '2', '3'].map((n) => `customer:019b0000-0000-7000-8000-00000000000${n}`)
