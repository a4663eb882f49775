import { Type } from 'typebox'

const dateTime = (description: string) => Type.String({ format: 'date-time', description })
const Reputation = Type.Integer({ minimum: -3, maximum: 3 })

const EvidenceClaim = Type.Object({
  sourceKind: Type.String({ description: 'customer, user, feed, scan or trusted; which one is not told' }),
  mine: Type.Boolean({ description: 'made by the caller, or by another member of its customer' }),
  reputation: Type.Union([Reputation, Type.Null()], { description: 'null: a sighting, which counts for nothing' }),
  trust: Type.Number({
    description: 'by the rules in force, else as stated; with basis `history`: what the source is trusted with today',
  }),
  firstSeen: dateTime('first observation by this source'),
  claimedAt: Type.Union([dateTime('when the reputation was stated'), Type.Null()]),
  lastSeen: dateTime('last observation by this source; the age counts from here'),
  ageSeconds: Type.Integer(),
  weight: Type.Number({ description: 'trust * 2^(-age / half-life); 0 of a sighting' }),
  share: Type.Number({ description: 'of the sum of all weights, 0..1' }),
  contribution: Type.Number({
    description:
      'share * reputation; of a median, what the claims that agree with it make of it, and 0 of the others. They add up to what is faded',
  }),
  live: Type.Boolean({ description: 'fresh enough to count for accuracy, best and worst reputation' }),
  visibleBy: Type.Array(Type.String()),
})

/** A score and what it follows from. */
export const Evidence = Type.Object(
  {
    entityID: Type.String(),
    at: dateTime('the moment of which all of this is told'),
    basis: Type.Union([Type.Literal('claims'), Type.Literal('history')], {
      description:
        'claims: as they are held, exact from the last sighting on. history: what the records up to that moment say; a repeat within the deduplication window has refreshed a claim and left no record, so claims may have been fresher',
    }),
    reputation: Reputation,
    accuracy: Type.Integer({ minimum: 0, maximum: 3 }),
    bestReputation: Reputation,
    worstReputation: Reputation,
    wellKnown: Type.Boolean(),
    floored: Type.Boolean({
      description: 'the claims say less than 0, and the entity is well known, or covered by what is',
    }),
    rules: Type.String({ description: 'the scoring rules in force; `built-in` unless an operator promoted others' }),
    formula: Type.Union([Type.Literal(1), Type.Literal(2)], { description: '1: mean by weight. 2: median by weight' }),
    halfLifeDays: Type.Number(),
    fade: Type.Number({ description: 'reputation before the floor = round(fade * sum of the contributions)' }),
    items: Type.Integer({ description: 'all claims; at most 10,000 are listed' }),
    claims: Type.Array(EvidenceClaim, { description: 'by weight, greatest first' }),
  },
  { description: 'claims that this caller may read' },
)
