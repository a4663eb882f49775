import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/operate/sizing.md', 'utf8')
const section = (title: string): string[][] => {
  const [, text] = new RegExp(`^## ${title}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(page)!
  const lines = text!.split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(1).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}
const number = (cell: string): number => Number(/[\d,.]*\d/.exec(cell)![0].replaceAll(',', ''))
const RATES = [1_000, 10_000, 100_000]

test('cores are the CPU time of an observation times the rate, and the last row is the sum', () => {
  const rows = section('CPU')
  expect(rows).toHaveLength(5)
  for (const [, cost, ...cores] of rows)
    expect(cores.map(number)).toEqual(RATES.map((rate) => Number(((number(cost!) * rate) / 1e6).toPrecision(2))))
  expect(number(rows.at(-1)![1]!)).toBe(rows.slice(0, -1).reduce((sum, [, cost]) => sum + number(cost!), 0))
})

test('processes have three times their cores, and two at least', () => {
  const cost = (part: string): number => number(section('CPU').find(([name]) => name!.startsWith(part))![1]!)
  for (const part of ['`api`', '`observe`']) {
    const [, ...sizes] = section('Three sizes').find(([name]) => name!.startsWith(part))!
    const needed = RATES.map((rate) => Math.max(2, Math.ceil((3 * cost(part) * rate) / 1e6)))
    expect(sizes.map(number)).toEqual(needed)
  }
})

test('disk is bytes times the rate, for a day or for the seven days of the changes', () => {
  const rows = section('Disk')
  expect(rows).toHaveLength(3)
  for (const [what, bytes, ...sizes] of rows) {
    const days = what!.includes('7 days') ? 7 : 1
    const gigabytes = RATES.map((rate) => (number(bytes!) * rate * 86_400 * days) / 1e9)
    expect(sizes.map(number)).toEqual(gigabytes.map((size) => (size < 10 ? Number(size.toFixed(1)) : Math.round(size))))
  }
})
