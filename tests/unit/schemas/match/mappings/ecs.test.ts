import { describe, expect, test } from 'vitest'
import { AT, mapped } from '../../../../builders/feeds/mapped-lines.ts'

describe('ECS', () => {
  const nested = {
    '@timestamp': '2026-01-31T12:30:00.123Z',
    event: { id: 'e1', category: ['network'] },
    dns: { question: { name: 'bad.example.com' }, answers: [{ data: '198.51.100.7' }, { data: 'x.example.com' }] },
    source: { ip: '10.0.0.1' },
    destination: { ip: '198.51.100.53' },
    host: { name: 'pc' },
    user: { name: 'ann' },
  }
  const event = {
    at: AT,
    kind: 'dns',
    host: 'pc',
    user: 'ann',
    ref: 'e1',
    fields: {
      query: 'bad.example.com',
      answers: ['198.51.100.7', 'x.example.com'],
      src: '10.0.0.1',
      dst: '198.51.100.53',
    },
  }

  test('is read nested', () => {
    expect(mapped('ecs', nested)).toEqual([event])
  })

  test('is read with dotted names', () => {
    const dotted = {
      '@timestamp': '2026-01-31T12:30:00.123Z',
      'event.id': 'e1',
      'dns.question.name': 'bad.example.com',
      'dns.answers': nested.dns.answers,
      'source.ip': '10.0.0.1',
      destination: { ip: '198.51.100.53' },
      'host.name': 'pc',
      'user.name': 'ann',
    }
    expect(mapped('ecs', dotted)).toEqual([event])
  })

  test('two values of one field are two events', () => {
    const hashes = { file: { hash: { sha256: 'a'.repeat(64) } }, process: { hash: { sha256: 'b'.repeat(64) } } }
    expect(mapped('ecs', { '@timestamp': nested['@timestamp'], ...hashes })).toEqual([
      { at: AT, fields: { sha256: 'a'.repeat(64) } },
      { at: AT, fields: { sha256: 'b'.repeat(64) } },
    ])
  })

  test.each<[object, string[]]>([
    [{ full: 'https://bad.example.com/x', domain: 'bad.example.com', path: '/x' }, ['https://bad.example.com/x']],
    [
      { original: '/x?y', domain: 'bad.example.com', scheme: 'https', port: 8443 },
      ['https://bad.example.com:8443/x?y'],
    ],
    [{ path: '/x', query: 'y=1', domain: 'bad.example.com' }, ['http://bad.example.com/x?y=1']],
    [{ path: '/x', domain: '2001:db8::1' }, ['http://[2001:db8::1]/x']],
    [{ original: '/x' }, []],
  ])('the URL of %j', (url, expected) => {
    const events = mapped('ecs', { '@timestamp': nested['@timestamp'], url }) as { fields: { url?: string } }[]
    expect(events.flatMap(({ fields }) => fields.url ?? [])).toEqual(expected)
  })
})
