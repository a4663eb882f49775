import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { citingFiles } from '../../../builders/infra/repository.ts'

/** Every decision record can be found: by its title, by its area in the index, and from the code that cites it. */
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const FOLDER = 'docs/contribute/adr'
const ARCHIVE = `${FOLDER}/archive`

/** What a reader takes in: two screens a record, and no more records than a newcomer looks through. */
const MOST_WORDS = 600
const MOST_LIVE = 60

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const recordsIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder)).filter((file) => file.endsWith('.md') && file !== 'README.md')

/** `# N. title`, then status, area and date, then the text. */
const HEAD = /^# (\d+)\. (\S.*)\n\nStatus: (.+)\nArea: (.+)\nDate: (\d{4}-\d{2}-\d{2})\n\n\S/
/** What an archived record begins with, before its head. */
const ARCHIVED = /^Archived: what holds now is \[ADR (\d+)\]\(\.\.\/(\S+)\)\n\n/
/** Of an archived record, as it was when it was archived. */
const STATUS = /^(accepted|superseded by ADR \d+|amended by ADR \d+(, ADR \d+)*)$/

const index = read(`${FOLDER}/README.md`)
const areas = [...index.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, area]) => area!)

const live = recordsIn(FOLDER).map((file) => {
  const text = read(`${FOLDER}/${file}`)
  const [, number, title, status, area] = HEAD.exec(text) ?? []
  return {
    file,
    number: Number(number),
    title,
    status,
    area,
    words: text.split(/\s+/).filter((word) => word !== '').length,
  }
})
const archived = recordsIn(ARCHIVE).map((file) => {
  const text = read(`${ARCHIVE}/${file}`)
  const [line, now, page] = ARCHIVED.exec(text) ?? ['']
  const [, number, , status] = HEAD.exec(text.slice(line!.length)) ?? []
  return { file, number: Number(number), status, now: Number(now), page }
})
const liveNumbers = new Set(live.map(({ number }) => number))
const archivedNumbers = new Set(archived.map(({ number }) => number))

const citedIn = (text: string): number[] =>
  [...text.matchAll(/\bADRs? (\d+(?:(?:, | and |, and )(?:ADR )?\d+)*)|docs\/contribute\/adr\/(\d{4})/g)].flatMap(
    (match) => [...(match[1] ?? match[2]!).matchAll(/\d+/g)].map(([digits]) => Number(digits)),
  )

/** A link into the archive says that it is history: it is no citation of what holds. */
const withoutHistory = (text: string): string => text.replace(/\[ADR \d+\]\(archive\/[^)]+\)/g, '')

/** A migration never changes once it is on `main`, and the changelog names the decision of its day. */
const STAYS = /(^|\/)migrations\/\d{4}|^CHANGELOG\.md$/
const isPageForUsers = (file: string): boolean =>
  file === 'README.md' || (/^docs\/.+\.md$/.test(file) && !file.startsWith('docs/contribute/'))

const citing = citingFiles().filter((file) => !file.startsWith(`${ARCHIVE}/`))
const found = citing.flatMap((file) => citedIn(withoutHistory(read(file))).map((number) => ({ file, number })))

test('the index lists its areas', () => {
  expect(areas.length).toBeGreaterThan(5)
  expect(new Set(areas).size).toBe(areas.length)
})

describe('a live record', () => {
  test.each(live)('$file begins with title, status, area and date, and has two screens', (record) => {
    expect(record.title).toBeDefined()
    expect(record.file.slice(0, 5)).toBe(`${String(record.number).padStart(4, '0')}-`)
    // What was amended is in its area page, and the record in the archive.
    expect(record.status).toBe('accepted')
    expect(areas).toContain(record.area)
    expect(record.words).toBeLessThanOrEqual(MOST_WORDS)
  })

  test('is one of few', () => {
    expect(live.length).toBeLessThanOrEqual(MOST_LIVE)
  })

  test('has a line in the index, with its title and area', () => {
    const lines = index.split('\n').filter((line) => line.startsWith('| ['))
    const wanted = live.map(({ file, title, area }) => `| [${file.slice(0, 4)}](${file}) | ${title} | \`${area}\` |`)
    expect(lines.toSorted()).toEqual(wanted.toSorted())
  })
})

describe('an archived record', () => {
  test.each(archived)('$file begins with the page that holds now', (record) => {
    expect(record.status).toMatch(STATUS)
    expect(record.file.slice(0, 5)).toBe(`${String(record.number).padStart(4, '0')}-`)
    expect(live.find(({ file }) => file === record.page)?.number).toBe(record.now)
  })

  test('is in the list of the index once, at the page that holds now', () => {
    const lines = [...index.matchAll(/^- ADR (\d+): (.+)$/gm)].flatMap(([, now, list]) =>
      list!.split(', ').map((link) => `${now} ${link}`),
    )
    const wanted = archived.map(({ file, number, now }) => `${now} [${number}](archive/${file})`)
    expect(lines.toSorted()).toEqual(wanted.toSorted())
  })
})

test('no two decision records share a number', () => {
  expect(new Set([...liveNumbers, ...archivedNumbers]).size).toBe(live.length + archived.length)
})

test('every decision that the code or the documents cite exists', () => {
  expect(found.length).toBeGreaterThan(100)
  expect(found.filter(({ number }) => !liveNumbers.has(number) && !archivedNumbers.has(number))).toEqual([])
})

test('no code and no page for developers cites an archived decision as what holds', () => {
  const wrong = found.filter(
    ({ file, number }) => archivedNumbers.has(number) && !STAYS.test(file) && !isPageForUsers(file),
  )
  expect(wrong.filter(({ file }) => file !== 'tests/unit/docs/contribute/adr.test.ts')).toEqual([])
})

test.each(citing.filter(isPageForUsers))('a page for users cites no decision: %s', (file) => {
  const text = read(file)
  expect(citedIn(text)).toEqual([])
  expect([...text.matchAll(/\]\([^)\s]*\badr\/\d{4}[^)]*\)/g)].map(([link]) => link)).toEqual([])
})

test('citations are read in all of their forms', () => {
  expect(citedIn('(ADR 5, ADR 10), ADRs 1, 2 and 3, docs/contribute/adr/0020-name.md; ADR 4: 12')).toEqual([
    5, 10, 1, 2, 3, 20, 4,
  ])
  expect(citedIn(withoutHistory('the lock of [ADR 40](archive/0040-lock.md), now ADR 155'))).toEqual([155])
})
