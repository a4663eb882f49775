import { describe, expect, test } from 'vitest'
import { namesAbove, registrableOf } from '../../../../../schemas/intelligence/compare/names-above.ts'

describe('the names above a name', () => {
  test.each<[string, string[]]>([
    ['a.b.example.com', ['b.example.com', 'example.com']],
    ['example.com', []],
    ['com', []],
    ['a.b.co.uk', ['b.co.uk']],
    ['b.co.uk', []],
    ['co.uk', []],
    ['x.city.kawasaki.jp', ['city.kawasaki.jp']],
    ['city.kawasaki.jp', []],
    ['www.ck', []],
    ['a.www.ck', ['www.ck']],
    ['a.b.other.ck', ['b.other.ck']],
    ['a.xn--bcher-kva.example', ['xn--bcher-kva.example']],
    ['a.b.intranet', ['b.intranet']],
    ['intranet', []],
  ])('of registries: %s', (name, above) => {
    expect(namesAbove(name)).toEqual(above)
    expect(namesAbove(name, 'all')).toEqual(above)
  })

  test.each<[string, string[], string[]]>([
    ['x.user.github.io', ['user.github.io', 'github.io'], ['user.github.io']],
    ['user.github.io', ['github.io'], []],
    ['github.io', [], []],
    ['x.blogspot.com', ['blogspot.com'], []],
    ['bucket.s3.amazonaws.com', ['s3.amazonaws.com', 'amazonaws.com'], []],
    ['s3.amazonaws.com', ['amazonaws.com'], []],
    [
      'a.bucket.s3.amazonaws.com',
      ['bucket.s3.amazonaws.com', 's3.amazonaws.com', 'amazonaws.com'],
      ['bucket.s3.amazonaws.com'],
    ],
  ])('%s, with the suffixes of providers', (name, ofRegistries, ofAll) => {
    expect(namesAbove(name)).toEqual(ofRegistries)
    expect(namesAbove(name, 'all')).toEqual(ofAll)
  })
})

test.each<[string, string | null, string | null]>([
  ['a.b.example.com', 'example.com', 'example.com'],
  ['com', null, null],
  ['co.uk', null, null],
  ['github.io', 'github.io', null],
  ['x.user.github.io', 'github.io', 'user.github.io'],
  ['s3.amazonaws.com', 'amazonaws.com', null],
  ['www.ck', 'www.ck', 'www.ck'],
  ['kawasaki.jp', null, null],
  ['x.kawasaki.jp', null, null],
])('the registrable domain of %s', (name, ofRegistries, ofAll) => {
  expect(registrableOf(name)).toBe(ofRegistries)
  expect(registrableOf(name, 'all')).toBe(ofAll)
})
