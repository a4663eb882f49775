// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is text of the product.
import type { Fault } from '../fault.ts'

/** A score, a match or an answer is another one. */
export const SCORES: readonly Fault[] = [
  {
    name: 'the score of many sources is thought to last longer than it does',
    file: 'schemas/intelligence/scoring/many/losses.ts',
    text: 'Math.min(lane.last(2)!.at, weighed)',
    instead: 'Math.min(lane.last(1)!.at, weighed)',
    test: {
      project: 'unit',
      file: 'tests/unit/schemas/intelligence/scoring/many/tally-score.test.ts',
      title: 'a tally gives what the claims give',
    },
  },
  {
    name: 'of many sources one that speaks again counts twice',
    file: 'pipelines/processors/intelligence/rows/claim-book.ts',
    text: '      if (before !== undefined) tally.remove(before)\n',
    instead: '',
    test: {
      project: 'unit',
      file: 'tests/unit/pipelines/processors/intelligence/observe.many-sources.test.ts',
      title: 'rows and records of many sources are the same',
    },
  },
  {
    name: 'a retraction leaves the sighting at the very end of its window',
    file: 'pipelines/processors/intelligence/retract.ts',
    text: 'seen: claim.at >= from && claim.at <= to',
    instead: 'seen: claim.at >= from && claim.at < to',
    test: {
      project: 'unit',
      file: 'tests/unit/pipelines/processors/intelligence/retract.test.ts',
      title: 'over random records of several sources',
    },
  },
  {
    name: 'a revoked object takes back what another object of its source claims',
    file: 'pipelines/retract/due-objects.ts',
    text: '          if (live.has(pair)) continue\n',
    instead: '',
    test: {
      project: 'unit',
      file: 'tests/unit/pipelines/retract/due-objects.test.ts',
      title: 'once nobody of its source claims it',
    },
  },
  {
    name: 'a range of a search leaves out its upper bound',
    file: 'connectors/history/sql/search/condition.ts',
    text: "to.inclusive ? '<=' : '<'",
    instead: "to.inclusive ? '<' : '<'",
    test: {
      project: 'platform',
      file: 'tests/contract/history/reads/search-oracle.test.ts',
      title: 'a fault in what a search becomes',
    },
  },
  {
    name: 'a promotion that is killed tells by other records when it goes on',
    file: 'pipelines/processors/intelligence/rescored.ts',
    text: 'id: namedUuid(`rescored/${database}/${at}/${entity.entityId}`)',
    instead: 'id: crypto.randomUUID()',
    test: {
      project: 'platform',
      file: 'tests/e2e/operation/rebuilds/rescored.test.ts',
      title: 'killed anywhere while it tells',
    },
  },
  {
    name: 'an event of telemetry that comes again is matched again',
    file: 'pipelines/jobs/match/events/step-events.ts',
    text: 'return by === undefined || (again && by === mark)',
    instead: 'return by === undefined || again || by === mark',
    test: {
      project: 'unit',
      file: 'tests/unit/pipelines/jobs/match/match-job.model.test.ts',
      title: 'tell exactly what each index met, once',
    },
  },
  {
    name: 'an item of a watchlist fires for whoever reads some of a row',
    file: 'pipelines/processors/casework/look-at.ts',
    text: '    if (!readAlike(item.list.reader, reader, change.rows)) continue\n',
    instead: '',
    test: {
      project: 'unit',
      file: 'tests/unit/pipelines/processors/casework/look-at.model.test.ts',
      title: 'any items, users, audiences and changes',
    },
  },
]
