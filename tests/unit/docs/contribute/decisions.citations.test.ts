import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { citingFiles } from '../../../builders/infra/repository.ts'

/**
 * A reader who meets a page and a number in a comment can open that section: it is there, and the citation has the one form
 * that a search finds. `adr.test.ts` does the same for design decisions.
 */
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const PAGES = ['decisions', 'specification'] as const
type Page = (typeof PAGES)[number]

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

/** By page: the numbers of its sections in their order, with the anchor of each. */
const sections = Object.fromEntries(
  PAGES.map((page) => [
    page,
    [...read(`docs/contribute/${page}.md`).matchAll(/^#{2,3} ((\d+(?:\.\d+)?) .+)$/gm)].map(
      ([, heading, number]) => [number!, anchorOf(heading!)] as const,
    ),
  ]),
) as Record<Page, (readonly [number: string, anchor: string])[]>
const anchors = { decisions: new Map(sections.decisions), specification: new Map(sections.specification) }

/** A page and one or several numbers, in one line. */
const CITED = /\b(decisions|specification) (\d+(?:\.\d+)*(?:, \d+(?:\.\d+)*)*)/g
/** What a reader takes for a citation, in whatever form: with a part, a comma, a word or a line end before the number. */
const LIKE =
  /\b(?:decisions?|specifications?)(?:-\d+\b|(?:, ?| |\s?\n\s*(?:\*|\/\/|#)? ?)(?:(?:sections?|parts?|§) ?)?\d+)/gi
const FORM = /^(?:decisions|specification) \d+$/
/** Numbers that go on otherwise than by commas. */
const GOES_ON = /\b(?:decisions|specification) [\d., ]*\d(?: ?[-–/&] ?|,? (?:and|or|to) )\d+\.\d+/g

/** The numbers that a text cites, by page. */
const citedIn = (text: string): { page: Page; number: string; end: number }[] =>
  [...text.matchAll(CITED)].flatMap(({ 0: whole, 1: page, 2: numbers, index }) =>
    numbers!.split(', ').map((number) => ({ page: page as Page, number, end: index + whole.length })),
  )

/** What is wrong with the citations of a text; in documents a citation is a link to its section. */
function faultsIn(text: string, isDocument: boolean): string[] {
  const forms = [...text.matchAll(LIKE)].map(([like]) => like).filter((like) => !FORM.test(like))
  const ends = [...text.matchAll(GOES_ON)].map(([like]) => like)
  const numbers = citedIn(text).flatMap(({ page, number, end }) => {
    const anchor = anchors[page].get(number)
    if (anchor === undefined) return [`${page} ${number}: no such section`]
    const linked = text.startsWith(']', end) && text.slice(end).split(')', 1)[0]!.endsWith(`${page}.md#${anchor}`)
    return isDocument && !linked ? [`${page} ${number}: no link to #${anchor}`] : []
  })
  return [...[...forms, ...ends].map((form) => `${JSON.stringify(form)}: another form`), ...numbers]
}

describe.each(PAGES)('docs/contribute/%s.md', (page) => {
  test('numbers each of its sections once, in order', () => {
    const numbers = sections[page].map(([number]) => number)
    const sorted = numbers.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    expect(numbers.length).toBeGreaterThan(25)
    expect(numbers).toEqual([...new Set(sorted)])
  })

  test('is linked by anchors that it has', () => {
    const documents = citingFiles().filter((file) => file.endsWith('.md'))
    const known = new Set(anchors[page].values())
    const wrong = documents.flatMap((file) =>
      [...read(file).matchAll(/\]\((?:[\w./-]*\/)?([\w-]*)(?:\.md)?#([^)\s]+)\)/g)]
        .filter(
          ([, to, anchor]) =>
            (to === page || (to === '' && file === `docs/contribute/${page}.md`)) && !known.has(anchor!),
        )
        .map(([link]) => `${file}: ${link}`),
    )
    expect(wrong).toEqual([])
  })
})

test('every citation in code, tests and documents leads to a section', () => {
  const texts = citingFiles().map((file) => ({ file, text: read(file) }))
  expect(texts.flatMap(({ text }) => citedIn(text)).length).toBeGreaterThan(500)
  expect(
    texts.flatMap(({ file, text }) => faultsIn(text, file.endsWith('.md')).map((fault) => `${file}: ${fault}`)),
  ).toEqual([])
})

describe('a citation', () => {
  test.each([
    ['of a section that is not there', ' 15.9', '15.9: no such section'],
    ['of a section of sections that is not there', ' 99', '99: no such section'],
    ['of which the second number is not there', ' 15.3, 3.12', '3.12: no such section'],
    ['with a part', '-2 15.3', 'another form'],
    ['with a part and a comma', '-2, 15.3', 'another form'],
    ['with a comma', ', 15.3', 'another form'],
    ['with a word', ' section 15.3', 'another form'],
    ['over two lines', '\n * 15.3', 'another form'],
    ['of a range', ' 15.1-15.3', 'another form'],
    ['with a word between numbers', ' 15.1 and 15.3', 'another form'],
  ])('%s is refused', (_, rest, fault) => {
    expect(faultsIn(`/** Lines (decisions${rest}; ADR 265). */`, false)).toEqual([expect.stringContaining(fault)])
  })

  test('begins with a small letter and has the plural', () => {
    for (const word of ['Decisions', 'decision', 'Specification'])
      expect(faultsIn(`${word} 4.2 says so.`, false)).toEqual([expect.stringContaining('another form')])
  })

  test('in a document is a link to its section', () => {
    const [, anchor] = sections.decisions.find(([number]) => number === '15.3')!
    expect(faultsIn(`([decisions 15.3](../decisions.md#${anchor}))`, true)).toEqual([])
    expect(faultsIn('([decisions 15.3](../decisions.md#154-misp))', true)).toEqual([
      `decisions 15.3: no link to #${anchor}`,
    ])
    expect(faultsIn('(decisions 15.3)', true)).toEqual([`decisions 15.3: no link to #${anchor}`])
  })

  test('of one or several sections is taken', () => {
    expect(faultsIn('(specification 4.2, 6; decisions 15.1, 15.3, 4). Decisions, and a specification.', false)).toEqual(
      [],
    )
  })
})
