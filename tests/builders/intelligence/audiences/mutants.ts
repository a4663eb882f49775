/** The queries that answer callers, and how each loses its predicate. */

const READABLE = /audience IN \{audiences:Array\(UInt64\)\}/g

/** The same, where parameters have no names. */
const BOUND = /audience IN \{p\d+:Array\(UInt64\)\}/g

/** Both. */
const ANY = /audience IN \{(?:audiences|p\d+):Array\(UInt64\)\}/g

/** Every query that answers callers, by something that only it says. */
export const MUTANTS: { query: string; says: RegExp; removes: RegExp }[] = [
  { query: 'counters', says: /FROM counts[\s\S]*HAVING n != 0/, removes: READABLE },
  { query: 'topCounters', says: /FROM counts[\s\S]*BY dim$/, removes: READABLE },
  { query: 'overlappingRows', says: /HAVING uniqExact\(audience\) > 1\)\s+ORDER BY key/, removes: READABLE },
  { query: 'overlapCorrection', says: /sum\(one\) AS n/, removes: READABLE },
  // The keys are candidates only: their rows are read with a predicate of their own, so both have to go.
  {
    query: 'newestOverlaps and recentRows and readableRowsByKey',
    says: /ORDER BY last DESC, id|PREWHERE key IN/,
    removes: READABLE,
  },
  {
    query: 'recentKeys and recentRows and readableRowsByKey',
    says: /^SELECT key, |PREWHERE key IN/,
    removes: READABLE,
  },
  { query: 'recentRows and readableRowsByKey', says: /PREWHERE key IN/, removes: READABLE },
  { query: 'shownRows', says: /best, worst, well_known/, removes: READABLE },
  // Statements take their trust from claims, which are read with a predicate of their own, so both have to go.
  {
    query: 'statementsUntil and readableRowsByKey',
    says: /GROUP BY audience, source|PREWHERE key IN/,
    removes: READABLE,
  },
  { query: 'statementsAlong and readableRowsByKey', says: /AS gone|PREWHERE key IN/, removes: READABLE },
  { query: 'retractionsSince', says: /AS made/, removes: READABLE },
  { query: 'entitySurface', says: /FROM entities FINAL/, removes: BOUND },
  { query: 'sourceScores', says: /AS first_entities/, removes: READABLE },
  { query: 'sourceVolumes', says: /AS shown_as/, removes: READABLE },
  { query: 'simplePage', says: /FROM history[\s\S]*OFFSET/, removes: READABLE },
  { query: 'simplePages', says: /hasAny\(terms, \{terms:/, removes: READABLE },
  { query: 'searchPage', says: /AS sorted\s+FROM history[\s\S]*OFFSET/, removes: BOUND },
  { query: 'countedByTag', says: /AS items, [\s\S]*FROM tagged/, removes: BOUND },
  // The number and the page are compared, so both have to be wrong.
  {
    query: 'matchesByTag and placesByTag and shownRows',
    says: /AS matches, |accuracy,\s+toUnixTimestamp64Milli\(first_seen\)|best, worst, well_known/,
    removes: ANY,
  },
  {
    query: 'foldedByTag and shownRows',
    says: /AS several\b|AS matches|best, worst, well_known/,
    removes: ANY,
  },
  { query: 'searchTotals', says: /count\(\) AS items, /, removes: BOUND },
  { query: 'aggregate', says: /^(?![\s\S]* AS (sorted|items))/, removes: BOUND },
  { query: 'simpleCount', says: /count\(\) AS items/, removes: READABLE },
  { query: 'relationsPage', says: /groupUniqArray\(audience\)/, removes: READABLE },
  { query: 'relationsCount', says: /AS relations FROM/, removes: READABLE },
  { query: 'neighbours', says: /BY entity_id LIMIT/, removes: READABLE },
  { query: 'linksAmong', says: /outgoing = 1/, removes: READABLE },
  { query: 'activityByDay', says: /AS day, count/, removes: READABLE },
  { query: 'networksAround', says: /FROM networks[\s\S]*AND \(bits, start\)/, removes: READABLE },
  { query: 'networksOf', says: /FROM networks(?![\s\S]*AND \(bits, start\))/, removes: READABLE },
  { query: 'lookedUpRows', says: /accuracy, well_known, tags[\s\S]*preferred_block_size_bytes/, removes: READABLE },
  // The networks are candidates only: their rows are read with a predicate of their own, so both have to go.
  {
    query: 'networksOver and lookedUpRows',
    says: /SELECT DISTINCT value FROM networks|accuracy, well_known, tags[\s\S]*preferred_block_size_bytes/,
    removes: READABLE,
  },
  { query: 'readableAudiences', says: /FROM audiences/, removes: /hasAny\(groups, \{groups:Array\(String\)\}\)/g },
]

/**
 * Exported, but no question of a caller: the jobs read whole entities and recount them, some ask about records that the
 * caller was shown, by audience, and the others convert rows.
 */
export const NO_QUESTION = [
  'amongst',
  'readable',
  'rowsByKey',
  'currentRows',
  'latestRows',
  'stateOf',
  'driftOf',
  'correctionOf',
  'markOf',
  'historyOffsets',
  'groupsOfAudiences',
  'marksOf',
  'marksIn',
  'networkRows',
  'coveringMarks',
  'candidatesUnder',
  'currentAmong',
  'keysDueAfter',
  'nextDueAfter',
  'dueKeys',
  'dueEntities',
  'reportedBetween',
  'heldBefore',
  'retractedOf',
  'goneAttributes',
  'goneTags',
  'retractedWindows',
  // Of these, what has the audience of a record that the caller was shown.
  'allRetractions',
  // Names of kinds of values: no answer shows one, and a search that asks for another finds nothing either way.
  'recordTypes',
  // Nobody here gives a verdict: asking/verdicts.ts compares what strangers are told without this predicate.
  'verdictsUntil',
  // Streams ask it: links.test.ts of the contract compares what it says to each reader with a model.
  'firstLinks',
  // Exports ask them: relationships.test.ts of the contract compares what they say to each reader with a model.
  'newestLinks',
  'endRows',
  'recordOrigins',
  'anythingOf',
  'claimsBetween',
  'indexRows',
  'inOrder',
  'exactInOrder',
  'timesInOrder',
  'untoldBetween',
  'recountSql',
  'rowsBetween',
  'isValueOnly',
  'tagSearch',
  'isInFolds',
  'isInViews',
  'verdictOf',
  'pageSearch',
  'withId',
]
