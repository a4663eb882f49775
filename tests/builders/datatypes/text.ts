import type { Cases } from './case.ts'

export const textCases: Cases<'String' | 'Case-sensitive string' | 'Country' | 'City' | 'Adversary' | 'Regex'> = {
  String: {
    valid: [
      ['  Emotet\t', 'emotet'],
      ['two\u0000words\u0007', 'two words'],
      ['İstanbul', 'i̇stanbul'],
      ['日本', '日本'],
      ['a'.repeat(65_536), 'a'.repeat(65_536)],
    ],
    invalid: ['', '   ', '\u0000\u0001', 'half \ud800', 'a'.repeat(65_537), 'é'.repeat(32_769), 'İ'.repeat(30_000)],
  },
  'Case-sensitive string': {
    valid: [
      [' PassWord1 ', 'PassWord1'],
      ['a\r\nB', 'a  B'],
    ],
    invalid: ['', ' \n ', '\udfff', 'a'.repeat(65_537)],
  },
  Country: {
    valid: [
      ['germany', 'Germany'],
      ['GERMANY', 'Germany'],
      ['DE', 'Germany'],
      ['de', 'Germany'],
      ['United States', 'United States'],
      ['usa', 'United States'],
      ['Russian Federation', 'Russia'],
      ['turkey', 'Türkiye'],
      ['turkiye', 'Türkiye'],
      ["cote d'ivoire", "Côte d'Ivoire"],
      ['St. Lucia', 'Saint Lucia'],
      ['The Netherlands', 'Netherlands'],
      ['Bosnia & Herzegovina', 'Bosnia and Herzegovina'],
      ['Saint Helena', 'Saint Helena'],
    ],
    invalid: ['Atlantis', 'XX', 'ZZ', 'D', 'constructor', '__proto__', '42', 'a'.repeat(300), ''],
  },
  City: {
    valid: [
      ['new york', 'New York'],
      ['NEW  YORK', 'New York'],
      ['saint-denis', 'Saint-Denis'],
      ["KING'S LYNN", "King's Lynn"],
      ['são paulo', 'São Paulo'],
      ['ßtadt', 'ßtadt'],
    ],
    invalid: ['', '123', '--', 'new\nyork', 'a'.repeat(300)],
  },
  Adversary: {
    valid: [
      ['APT28', 'APT28'],
      [' Lazarus Group ', 'Lazarus Group'],
      ['10.0.0.1', '10.0.0.1'],
    ],
    invalid: [
      'http://example.com',
      '550e8400-e29b-41d4-a716-446655440000',
      'bob@example.com',
      '8.8.8.8',
      '2001:db8::1',
      '+1 202 555 0143',
      'example.com',
      '',
    ],
  },
  Regex: {
    valid: [
      ['^evil[0-9]+\\.exe$', '^evil[0-9]+\\.exe$'],
      ['(?i)Upper\\d', '(?i)Upper\\d'],
    ],
    invalid: ['(', '[a', '*', '', 'a'.repeat(4097)],
  },
}
