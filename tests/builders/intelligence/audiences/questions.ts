/** What a caller can ask of random reports, and what it should be told. */

import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import type { toolAnswers } from '../../search/assistants/answers.ts'
import type { Answers } from '../caller.ts'
import { byText, type ReaderModel, type Report } from '../reader-model.ts'
import { ENTITIES, IPS, RARE, VALUES } from './said.ts'

/** `names`: of whom, as a failure says it. */
export type Question<A> = {
  names: string
  told(answers: A): Promise<unknown>
  should(model: ReaderModel): unknown
}
export type Breadth = 'some' | 'all'

const ALL_VALUES = [...VALUES, ...RARE, ...IPS].map((v) => v.value)
/** Beside them what nobody spoke of, below and in what others spoke of. */
const DECIDED = [...ALL_VALUES, ...VALUES.map((v) => `below.${v.value}`), ...[4, 5, 6, 7].map((n) => `198.51.100.${n}`)]
const QUERIES = [...VALUES.slice(0, 3), ...RARE.slice(0, 3), ...IPS]
  .map((v) => v.value)
  .concat('wordblue', 'wordred', 'wordgreenred', 'apt', 'of-blue', 'of-red')
/** Of current entities: values, a word, a place, and tags, one of which only some may read. */
const WANTED = [VALUES[0]!.value, RARE[0]!.value, 'wordblue', 'Peru', 'apt', 'of-blue', 'of-red']
const TAGS = ['apt', 'bot', 'of-public', 'of-blue', 'of-red', 'nobody has it']
/** Of texts, by a clause; all records without one. */
const WORDS = [null, 'known', 'wordblue', 'wordred', 'wordgreenred']

const ASKED = {
  all: {
    queries: QUERIES,
    wanted: WANTED,
    tags: TAGS,
    words: WORDS,
    evidence: [...VALUES.slice(0, 2), ...RARE.slice(0, 4), ...IPS.slice(0, 1)],
    scores: [...ENTITIES.slice(0, 2), ...ENTITIES.slice(4, 7)],
    entities: ENTITIES,
  },
  /** Of each kind as few as tell each predicate that is missing: the mutants say so. */
  some: {
    queries: [VALUES[0]!.value, IPS[1]!.value, 'wordred', 'of-blue'],
    wanted: [VALUES[0]!.value, 'Peru', 'of-red'],
    tags: ['apt', 'of-red', 'nobody has it'],
    words: [null, 'wordred'],
    evidence: [VALUES[0]!, RARE[1]!, IPS[0]!],
    scores: [ENTITIES[0]!, ENTITIES[4]!],
    entities: [ENTITIES[0]!, ENTITIES[1]!, ENTITIES[4]!, ENTITIES[5]!],
  },
} as const satisfies Record<Breadth, object>

/** The last report: what was taken back afterwards is to count as of then. */
const lastSaid = (reports: readonly Report[]): number => reports.findLast((r) => !r.takenBack)!.observedAt

/** @param once whether it is asked for that is remembered for half a minute */
export function questions(reports: readonly Report[], breadth: Breadth, once = true): Question<Answers>[] {
  const asked = ASKED[breadth]
  const all: Question<Answers>[] = []
  const ask = (names: string, told: Question<Answers>['told'], should: Question<Answers>['should']) =>
    all.push({ names, told, should })
  ask(
    'overview',
    (a) => a.overview(),
    (m) => m.overview(),
  )
  if (once)
    ask(
      'sources',
      (a) => a.sources(),
      (m) => m.sources(),
    )
  for (const maliciousOnly of [true, false]) {
    ask(
      `recent ${maliciousOnly}`,
      (a) => a.recent(maliciousOnly),
      (m) => m.recent(maliciousOnly),
    )
    ask(
      `attribution ${maliciousOnly}`,
      (a) => a.attribution(maliciousOnly),
      (m) => m.attribution(maliciousOnly),
    )
  }
  for (const query of asked.queries)
    ask(
      `search ${query}`,
      (a) => a.search(query),
      (m) => m.search(query),
    )
  // Those that wait for each other share a statement.
  ask(
    'searches at once',
    (a) => Promise.all(QUERIES.map((query) => a.search(query))),
    (m) => QUERIES.map((query) => m.search(query)),
  )
  for (const query of asked.wanted)
    ask(
      `entities ${query}`,
      (a) => a.entities(query),
      (m) => m.entities(query),
    )
  ask(
    'every entity',
    (a) => a.everyEntity(),
    (m) => m.everyEntity(),
  )
  for (const tag of asked.tags)
    ask(
      `tagged ${tag}`,
      (a) => a.tagged(tag),
      (m) => m.tagged(tag),
    )
  ask(
    'lookup',
    (a) => a.lookup(ALL_VALUES),
    (m) => m.lookup(ALL_VALUES),
  )
  ask(
    'reputation',
    (a) => a.reputation(DECIDED),
    (m) => m.reputation(DECIDED),
  )
  const last = lastSaid(reports)
  const middle = reports[Math.floor(reports.length / 2)]!.observedAt
  for (const { type, value } of asked.evidence)
    for (const at of [middle, last]) {
      const id = entityId(type, value)
      ask(
        `evidence ${value} ${at}`,
        (a) => a.evidence(id, at),
        (m) => m.evidence(id, at),
      )
    }
  for (const id of asked.scores) {
    const span = [id, reports[0]!.observedAt - 1, last, 20] as const
    ask(
      `score history ${id}`,
      (a) => a.scoreHistory(...span),
      (m) => m.scoreHistory(...span),
    )
  }
  for (const id of asked.entities)
    ask(
      `around ${id}`,
      (a) => Promise.all([a.relations(id), a.graph(id), a.details(id)]),
      (m) => [m.relations(id), m.graph(id), m.details(id)],
    )
  for (const word of asked.words)
    ask(
      `advanced ${word}`,
      (a) => a.advanced(word),
      (m) => m.advanced(word),
    )
  return all
}

/** The same, as tools of assistants tell it. */
export function toolQuestions(
  reports: readonly Report[],
  breadth: Breadth,
): Question<ReturnType<typeof toolAnswers>>[] {
  const last = lastSaid(reports)
  const { entities, wanted } = ASKED[breadth]
  return [
    { names: 'lookup', told: (a) => a.lookup(ALL_VALUES), should: (m) => m.lookup(ALL_VALUES) },
    ...entities.flatMap((id) => [
      {
        names: `evidence ${id}`,
        told: (a: ReturnType<typeof toolAnswers>) => a.evidence(id, last),
        should: (m: ReaderModel) => m.evidence(id, last),
      },
      {
        names: `relations ${id}`,
        told: (a: ReturnType<typeof toolAnswers>) => a.relations(id),
        should: (m: ReaderModel) => m.relations(id)?.toSorted(byText) ?? null,
      },
    ]),
    ...wanted.map((query) => ({
      names: `search ${query}`,
      told: (a: ReturnType<typeof toolAnswers>) => a.entities(query),
      should: (m: ReaderModel) => m.entities(query),
    })),
  ]
}
