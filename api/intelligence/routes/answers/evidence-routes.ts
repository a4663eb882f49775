import { Type } from 'typebox'
import { ReporterShown } from './reporter.ts'

const dateTime = (description: string) => Type.String({ format: 'date-time', description })
const Reputation = Type.Integer({ minimum: -3, maximum: 3 })

const EvidenceClaim = Type.Object({
  sourceKind: Type.String({
    description: 'kind of the source: customer, user, feed, scan or trusted',
  }),
  mine: Type.Boolean({
    description: 'whether the claim was made by the caller or by another member of the caller’s customer',
  }),
  reporter: ReporterShown,
  reputation: Type.Union([Reputation, Type.Null()], {
    description: 'null for a sighting, which does not affect the score',
  }),
  trust: Type.Number({
    description:
      'trust by the active scoring rules, else as stated by the source; with basis `history`: the current trust of the source',
  }),
  firstSeen: dateTime('first observation by this source'),
  claimedAt: Type.Union([dateTime('when the source reported the reputation'), Type.Null()]),
  lastSeen: dateTime('last observation by this source; the age is measured from this time'),
  ageSeconds: Type.Integer(),
  weight: Type.Number({ description: 'trust * 2^(-age / half-life); 0 for a sighting' }),
  share: Type.Number({ description: 'share of the sum of all weights, 0..1' }),
  contribution: Type.Number({
    description:
      'share * reputation. With the median formula: the part of the claims that agree with the median, 0 for the others. The sum of all contributions is the score before fading',
  }),
  live: Type.Boolean({
    description: 'whether the claim is fresh enough to count for accuracy, best and worst reputation',
  }),
  visibleBy: Type.Array(Type.String()),
})

const sources = (description: string) => Type.Integer({ description })

const Standing = Type.Object(
  {
    sources: sources('distinct sources, also those that only saw the entity and those with expired claims'),
    bad: sources('sources with a live claim below 0'),
    good: sources('sources with a live claim above 0'),
    neutral: sources('sources with a live claim of exactly 0'),
    expired: sources('sources with expired claims only'),
    newest: Type.Union([dateTime('last report of the sources that agree with the claims, else of any'), Type.Null()]),
    next: Type.Union([Type.Object({ at: dateTime('when'), reputation: Reputation }), Type.Null()], {
      description: 'when fading alone changes the reputation, and to which value; null: never',
    }),
  },
  { description: 'the positions of the sources that the caller may read; verdicts and marks do not change it' },
)

/** A score and what it follows from. */
export const Evidence = Type.Object(
  {
    entityID: Type.String(),
    at: dateTime('the time at which the evidence is evaluated'),
    basis: Type.Union([Type.Literal('claims'), Type.Literal('history')], {
      description:
        'claims: the current claims, exact from the last sighting on. history: computed from the history records up to that time; repeats within the deduplication window refresh a claim without a record, so claims may have been fresher than shown',
    }),
    reputation: Reputation,
    accuracy: Type.Integer({ minimum: 0, maximum: 3 }),
    bestReputation: Reputation,
    worstReputation: Reputation,
    wellKnown: Type.Boolean(),
    floored: Type.Boolean({
      description:
        'whether the reputation was raised to 0 because the entity is well known or covered by a well-known entity',
    }),
    verdict: Type.Optional(
      Type.Object(
        {
          verdict: Type.Enum(['benign', 'malicious']),
          reason: Type.String(),
          until: Type.Optional(dateTime('when it ends')),
          at: dateTime('when it was given'),
          userID: Type.String(),
        },
        { description: 'the verdict of the customer that decides reputation and accuracy, regardless of the claims' },
      ),
    ),
    rules: Type.String({ description: 'the active scoring rules; `built-in` unless an operator promoted others' }),
    formula: Type.Union([Type.Literal(1), Type.Literal(2)], { description: '1: weighted mean. 2: weighted median' }),
    halfLifeDays: Type.Number(),
    fade: Type.Number({ description: 'reputation before the well-known floor = round(fade * sum of contributions)' }),
    standing: Standing,
    items: Type.Integer({ description: 'total number of claims; at most 10,000 are listed' }),
    claims: Type.Array(EvidenceClaim, { description: 'by weight, highest first' }),
  },
  { description: 'the claims that the caller may read, and the score that follows from them' },
)
