import type { Case, Cases } from './case.ts'

const hex = (digits: number): string => '0123456789ABCDEF'.repeat(8).slice(0, digits)
const digest = (digits: number): Case => ({
  valid: [
    [hex(digits), hex(digits).toLowerCase()],
    [` ${hex(digits).toLowerCase()}\n`, hex(digits).toLowerCase()],
  ],
  invalid: [hex(digits).slice(1), `${hex(digits)}0`, `${hex(digits).slice(1)}g`, ''],
})

export const digestCases: Cases<
  | 'MD5'
  | 'SHA-1'
  | 'SHA-224'
  | 'SHA-256'
  | 'SHA-384'
  | 'SHA-512'
  | 'SHA3-224'
  | 'SHA3-256'
  | 'SHA3-384'
  | 'SHA3-512'
  | 'SHA512-224'
  | 'SHA512-256'
  | 'Hexadecimal'
  | 'BASE64'
  | 'UUID'
  | 'UUID|MD5|SHA3-256'
> = {
  MD5: digest(32),
  'SHA-1': digest(40),
  'SHA-224': digest(56),
  'SHA-256': digest(64),
  'SHA-384': digest(96),
  'SHA-512': digest(128),
  'SHA3-224': digest(56),
  'SHA3-256': digest(64),
  'SHA3-384': digest(96),
  'SHA3-512': digest(128),
  'SHA512-224': digest(56),
  'SHA512-256': digest(64),
  Hexadecimal: {
    valid: [
      ['DEADBEEF', 'deadbeef'],
      ['AA:bb:CC', 'aabbcc'],
    ],
    invalid: ['0xff', 'xyz', 'AA:B:CC', ':aa', ''],
  },
  BASE64: {
    valid: [
      ['aGVsbG8=', 'aGVsbG8='],
      ['aGVs\r\n bG8=', 'aGVsbG8='],
    ],
    invalid: ['aGVsbG8', 'a===', '=', 'aGV-', ''],
  },
  UUID: {
    valid: [
      ['550E8400-E29B-41D4-A716-446655440000', '550e8400-e29b-41d4-a716-446655440000'],
      ['{550e8400-e29b-41d4-a716-446655440000}', '550e8400-e29b-41d4-a716-446655440000'],
      ['urn:uuid:550e8400-e29b-41d4-a716-446655440000', '550e8400-e29b-41d4-a716-446655440000'],
      ['550e8400e29b41d4a716446655440000', '550e8400-e29b-41d4-a716-446655440000'],
    ],
    invalid: ['550e8400-e29b-41d4-a716-44665544000', '{550e8400-e29b-41d4-a716-446655440000', 'not-a-uuid', ''],
  },
  'UUID|MD5|SHA3-256': {
    valid: [
      [hex(32), hex(32).toLowerCase()],
      [hex(64), hex(64).toLowerCase()],
      ['550E8400-E29B-41D4-A716-446655440000', '550e8400-e29b-41d4-a716-446655440000'],
    ],
    invalid: [hex(40), hex(16), 'file.exe', ''],
  },
}
